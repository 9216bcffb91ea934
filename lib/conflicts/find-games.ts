import type { Document, ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictsDeps } from './deps.ts'

/** Games by their id in hex. */
export type GamesById<Row> = ReadonlyMap<string, Row>

/** Reads the games that some conflicts name, in one query or none. */
export async function findGames<Row extends { _id: ObjectId }>(
  { db }: Pick<ConflictsDeps, 'db'>,
  { ids, projection }: { ids: readonly ObjectId[]; projection: Document },
): Promise<GamesById<Row>> {
  if (ids.length === 0) return new Map()
  const rows = await db.games.find<Row>({ _id: { $in: [...ids] } }, { projection, maxTimeMS: MAX_TIME_MS }).toArray()
  return new Map(rows.map((row) => [row._id.toHexString(), row]))
}
