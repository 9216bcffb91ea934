import type { ObjectId } from 'mongodb'
import type { CharacterDocument } from '../../db/collections/characters.ts'
import type { NewEntry } from './assert-no-duplicates.ts'

export interface CharacterPlan {
  kind: 'character'
  _id: ObjectId
  /** A character that is to be created; null for one of the catalogue. */
  newEntry: NewEntry | null
  /** `gameIds` are added to the stored ones, every other field replaces its value. */
  fields: Partial<Omit<CharacterDocument, '_id' | 'slug' | 'createdAt' | 'updatedAt'>>
  /** The link of its image. */
  mugShotLink: string | undefined
  warnings: readonly string[]
}
