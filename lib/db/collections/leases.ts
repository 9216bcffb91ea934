import type { CollectionFacts } from './collection-facts.ts'

/** Work that one place at a time may do. All times are the database's. */
export interface LeaseDocument {
  _id: string
  /** Names the process that holds it. */
  holder?: string
  /** Grows with each acquisition, so that late writes of an earlier holder are refused. */
  fencingToken: number
  /** The token as release 1.0 stored it. */
  fence?: number
  until: Date
}

export const leases: CollectionFacts<LeaseDocument> = { name: 'leases', indexes: [] }
