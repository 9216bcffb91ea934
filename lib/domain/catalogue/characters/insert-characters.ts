import { type ClientSession, ObjectId } from 'mongodb'
import { withoutEmpty } from '#lib/base/values/without-empty'
import type { CharacterDocument } from '#lib/infrastructure/db/collections/characters'
import type { NameKeys } from '#lib/infrastructure/db/collections/name-keys'
import { insertWithSlugs } from '../../names/insert-with-slugs.ts'
import { buildNameKeys, ignoreCase, stringsIn } from '../../names/normalise-name.ts'
import type { CatalogueDeps } from '../deps.ts'

/** Derives the keys of a character from its names. Every write of a name stores them. */
export function buildCharacterKeys({ name, akas }: Pick<CharacterDocument, 'name' | 'akas'>) {
  return {
    ...buildNameKeys({ name, alternatives: akas }),
    lowerCaseNames: [...new Set(stringsIn([name, ...stringsIn(akas)]).map(ignoreCase))],
  }
}

export type NewCharacter = Omit<
  CharacterDocument,
  '_id' | 'slug' | 'lowerCaseNames' | 'createdAt' | 'updatedAt' | keyof NameKeys
> & {
  /** The id under which a mug shot may have been stored before. */
  _id?: ObjectId
}

/**
 * Inserts characters with their derived keys and slugs.
 * @throws MongoServerError 11000 when another character has one of the ids
 */
export async function insertCharacters(
  { db, clock }: Pick<CatalogueDeps, 'db' | 'clock'>,
  characters: readonly NewCharacter[],
  { session }: { session: ClientSession },
): Promise<CharacterDocument[]> {
  const now = clock()
  const keyed = characters.map(({ _id = new ObjectId(), name, ...fields }) => {
    const character = { _id, name, ...withoutEmpty(fields) }
    return { ...character, ...buildCharacterKeys(character), createdAt: now, updatedAt: now }
  })
  return await insertWithSlugs<CharacterDocument>(db.characters, keyed, session)
}
