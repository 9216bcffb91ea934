import type { CollectionDefinition } from './collection-definition.ts'

/** The right of one process to do some work alone. All times are those of the database's clock. */
export interface LeaseDocument {
  _id: string
  holder?: string
  until: Date
}

export const leases: CollectionDefinition<LeaseDocument> = { name: 'leases', indexes: [], isTransient: true }
