import { ObjectId } from 'mongodb'
import { ROYAL_GAMES_LIMIT } from '../contract/limits.ts'
import type { Deps } from '../deps.ts'
import { MAX_TIME_MS } from './change-list.ts'

/** Finds which of at most 500 ids are no game of the catalogue, answered from the index in one round trip. */
export async function findUnknownGames({ db }: Pick<Deps, 'db'>, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const found = await db.games
    .find(
      { _id: { $in: ids.map((id) => new ObjectId(id)) } },
      { projection: { _id: 1 }, batchSize: ROYAL_GAMES_LIMIT + 1, maxTimeMS: MAX_TIME_MS },
    )
    .toArray()

  const known = new Set(found.map(({ _id }) => _id.toHexString()))
  return ids.filter((id) => !known.has(id))
}
