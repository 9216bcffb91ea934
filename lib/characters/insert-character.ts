import { type ClientSession, ObjectId } from 'mongodb'
import type { CharacterDocument } from '../db/collections/characters.ts'
import type { NameKeys } from '../db/collections/name-keys.ts'
import { insertWithSlug } from '../names/insert-with-slug.ts'
import { withoutEmpty } from '../values/without-empty.ts'
import { buildCharacterKeys } from './character-keys.ts'
import type { CharactersDeps } from './deps.ts'

/** A character without the fields that an insert adds. */
export type NewCharacter = Omit<
  CharacterDocument,
  '_id' | 'slug' | 'lowerCaseNames' | 'createdAt' | 'updatedAt' | keyof NameKeys
> & {
  /** An id under which a mug shot may be stored already. */
  _id?: ObjectId
}

interface InsertOptions {
  session?: ClientSession | undefined
}

/**
 * Inserts a character with its derived keys and a slug of its own.
 * @throws MongoServerError 11000 when another character has the id
 */
export async function insertCharacter(
  { db, clock }: Pick<CharactersDeps, 'db' | 'clock'>,
  { _id = new ObjectId(), name, ...fields }: NewCharacter,
  { session }: InsertOptions = {},
): Promise<CharacterDocument> {
  const now = clock()
  const character = { _id, name, ...withoutEmpty(fields) }
  const keys = buildCharacterKeys(character)

  return await insertWithSlug<CharacterDocument>(db.characters, {
    name,
    withSlug: (slug) => ({ ...character, slug, ...keys, createdAt: now, updatedAt: now }),
    session,
  })
}
