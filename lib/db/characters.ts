import type { ObjectId } from 'mongodb'
import type { CollectionFacts } from './collection-facts.ts'

export interface CharacterDocument {
  _id: ObjectId
  name: string
  slug: string
  akas?: string[]
  gameIds?: ObjectId[]
  gender?: string
  species?: string
  countryName?: string
  description?: string
  mugShot?: string
  /** Derived: `name` and `akas` in lower case, for whole-string comparison. */
  nameKeys?: string[]
  /** Derived: the words of `name` and `akas`, for search. */
  searchWords?: string[]
  createdAt: Date
  updatedAt: Date
}

export const characters: CollectionFacts = {
  name: 'characters',
  indexes: [
    { key: { slug: 1 }, unique: true },
    { key: { nameKeys: 1 } },
    { key: { searchWords: 1 } },
    { key: { gameIds: 1 } },
  ],
}
