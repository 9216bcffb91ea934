import type { CollectionDefinition } from './collection-definition.ts'

/** A part of the first data, by its name. One without `filledAt` was begun, and is completed at the next occasion. */
export interface SeedDocument {
  _id: string
  startedAt: Date
  filledAt?: Date
}

export const seeds: CollectionDefinition<SeedDocument> = { name: 'seeds', indexes: [] }
