import type { CollectionFacts } from './collection-facts.ts'

/** Work that one place at a time may do. All times are the database's. */
export interface LeaseDocument {
  _id: string
  /** Names the process that holds it. */
  holder?: string
  /** Grows with each acquisition, so that what an earlier holder still writes can be told from the present one's. */
  fence: number
  until: Date
}

export const leases: CollectionFacts = { name: 'leases', indexes: [] }
