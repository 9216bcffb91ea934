import type { CollectionDefinition } from './collection-definition.ts'

/** Derived from the names of a document whenever they are written, so that search reads indexes alone. */
export interface NameKeys {
  nameKey?: string
  alternativeKeys?: string[]
  searchWords?: string[]
  /** Orders equal matches, the greatest rank first. */
  searchRank?: number
}

/** The order of equal matches: rank, then name. Each index below holds all of it, so a search reads no document. */
export const BEST_FIRST = { searchRank: -1, nameKey: 1, _id: 1 } as const

export const NAME_LISTS = ['alternativeKeys', 'searchWords'] as const

/** Lists documents without keys first. */
export const BY_NAME_KEY = { nameKey: 1, searchRank: -1, _id: 1 } as const

export const nameKeyIndexes: CollectionDefinition['indexes'] = [
  { key: BY_NAME_KEY },
  { key: { alternativeKeys: 1, ...BEST_FIRST } },
  { key: { searchWords: 1, ...BEST_FIRST } },
]
