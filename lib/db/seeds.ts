import type { CollectionFacts } from './collection-facts.ts'

/** The parts of the first data that were filled, each once. */
export interface SeedDocument {
  _id: string
  filledAt: Date
}

export const seeds: CollectionFacts = { name: 'seeds', indexes: [] }
