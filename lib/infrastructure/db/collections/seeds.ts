import type { CollectionDefinition } from './collection-definition.ts'

/** A part of the first data, by its name. A part without `filledAt` is incomplete, and the next start or command completes it. */
export interface SeedDocument {
  _id: string
  startedAt: Date
  filledAt?: Date
}

export const seeds: CollectionDefinition<SeedDocument> = { name: 'seeds', indexes: [] }
