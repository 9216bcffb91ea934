import { type ClientSession, ObjectId } from 'mongodb'
import { withoutEmpty } from '#lib/base/values/without-empty'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import type { NameKeys } from '#lib/infrastructure/db/collections/name-keys'
import { insertWithSlugs } from '../../names/insert-with-slugs.ts'
import type { CatalogueDeps } from '../deps.ts'
import { buildGameKeys } from './game-keys.ts'

export type NewGame = Omit<GameDocument, '_id' | 'slug' | 'createdAt' | 'updatedAt' | keyof NameKeys> & {
  /** The id under which images may have been stored before. */
  _id?: ObjectId
}

/**
 * Inserts a game with its derived keys and a slug of its own; a type that is not given is `Main Game`.
 * @throws MongoServerError 11000 when another game has the id, the IGDB id or the VNDB id
 */
export async function insertGame(
  { db, clock }: Pick<CatalogueDeps, 'db' | 'clock'>,
  { _id = new ObjectId(), name, ...fields }: NewGame,
  { session }: { session: ClientSession },
): Promise<GameDocument> {
  const now = clock()
  const game = { _id, name, type: 'Main Game', ...withoutEmpty(fields) }
  const keyed = { ...game, ...buildGameKeys(game), createdAt: now, updatedAt: now }
  const [inserted] = await insertWithSlugs<GameDocument>(db.games, [keyed], session)
  if (inserted === undefined) throw new Error('each document gets a slug')
  return inserted
}
