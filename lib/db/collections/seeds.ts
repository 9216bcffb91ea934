import type { CollectionFacts } from './collection-facts.ts'

/** A part of the first data, by its name. One without `filledAt` was begun, and is completed at the next occasion. */
export interface SeedDocument {
  _id: string
  startedAt: Date
  filledAt?: Date
}

export const seeds: CollectionFacts<SeedDocument> = { name: 'seeds', indexes: [] }
