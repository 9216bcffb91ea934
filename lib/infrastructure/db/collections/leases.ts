import type { CollectionDefinition } from './collection-definition.ts'

/** Work that one place at a time may do. All times are the database's. */
export interface LeaseDocument {
  _id: string
  holder?: string
  until: Date
}

export const leases: CollectionDefinition<LeaseDocument> = { name: 'leases', indexes: [], isTransient: true }
