import type { CollectionFacts } from './collection-facts.ts'

/** Work that one place at a time may do. All times are the database's. */
export interface LeaseDocument {
  _id: string
  /** Names who holds it, anew with each acquisition. */
  holder?: string
  until: Date
}

export const leases: CollectionFacts<LeaseDocument> = { name: 'leases', indexes: [] }
