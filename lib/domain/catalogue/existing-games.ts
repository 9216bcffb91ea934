import { ObjectId } from 'mongodb'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { ExactCache } from '../../infrastructure/events/exact-cache.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'

const MAX_BYTES = 8 * 1024 * 1024
const EXISTS = {}

export type ExistingGames = ExactCache<object>

export const createExistingGames = ({ createCache }: Pick<Feed, 'createCache'>): ExistingGames =>
  createCache({ maxBytes: MAX_BYTES, sizeOf: () => 1 })

/** Lists the ids without a game, with at most one command. All ids are in lower case. */
export async function findUnknownGames(
  { db: { games }, existingGames }: { db: Pick<Database, 'games'>; existingGames: ExistingGames },
  ids: readonly string[],
): Promise<string[]> {
  const existing = await existingGames.readMany(ids, async (missing) => {
    const filter = { _id: { $in: missing.map((id) => new ObjectId(id)) } }
    const options = { projection: { _id: 1 }, batchSize: missing.length + 1 }
    const found = await games.find(filter, options).toArray()
    return found.map(({ _id }) => [_id.toHexString(), EXISTS])
  })
  return ids.filter((id) => !existing.has(id))
}
