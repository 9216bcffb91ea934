import { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { ROYAL_GAMES_LIMIT } from '../contract/limits.ts'
import type { RoyalDeps } from './deps.ts'

/** Finds which of at most 500 ids are no game of the catalogue, answered from the index in one round trip. */
export async function findUnknownGames(
  { db, recentlySeenGames }: Pick<RoyalDeps, 'db' | 'recentlySeenGames'>,
  ids: readonly string[],
): Promise<string[]> {
  const unknown = await lookUp(db, ids)
  for (const id of ids) recentlySeenGames.set(id, true)
  for (const id of unknown) recentlySeenGames.delete(id)
  return unknown
}

async function lookUp({ games }: RoyalDeps['db'], ids: readonly string[]): Promise<string[]> {
  const [only] = ids
  if (only === undefined) return []
  // A crown on one game is the usual request; found by its key, it takes a third less time than a list of one.
  if (ids.length === 1) {
    const game = await games.findOne({ _id: new ObjectId(only) }, { projection: { _id: 1 }, maxTimeMS: MAX_TIME_MS })
    return game === null ? [only] : []
  }

  const found = await games
    .find(
      { _id: { $in: ids.map((id) => new ObjectId(id)) } },
      { projection: { _id: 1 }, batchSize: ROYAL_GAMES_LIMIT + 1, maxTimeMS: MAX_TIME_MS },
    )
    .toArray()

  const known = new Set(found.map(({ _id }) => _id.toHexString()))
  return ids.filter((id) => !known.has(id))
}
