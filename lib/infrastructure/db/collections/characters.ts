import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { id, orAbsent, type ReadBy } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'
import { NAME_LISTS, type NameKeys, nameKeyIndexes } from './name-keys.ts'

const readable = {
  _id: id,
  name: z.string().catch(''),
  slug: z.string(),
  mugShot: orAbsent(z.string()),
  createdAt: orAbsent(z.date()),
  updatedAt: orAbsent(z.date()),
}

export interface CharacterDocument extends ReadBy<typeof readable>, NameKeys {
  akas?: string[]
  gameIds?: ObjectId[]
  gender?: string
  species?: string
  countryName?: string
  description?: string
  /** Derived: `name` and `akas` in lower case, for comparison as whole strings. */
  lowerCaseNames?: string[]
  createdAt: Date
  updatedAt: Date
}

export const characters: CollectionDefinition<CharacterDocument> = {
  name: 'characters',
  indexes: [
    { key: { slug: 1 }, name: 'slug_unique', unique: true },
    ...nameKeyIndexes,
    { key: { lowerCaseNames: 1 } },
    { key: { gameIds: 1 } },
  ],
  lists: [...NAME_LISTS, 'lowerCaseNames', 'gameIds'],
  readable,
}
