import type { Collection, Document, ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'

/** Reads documents of these ids in their order; one deleted meanwhile is left out. */
export async function findByIds<Row extends { _id: ObjectId }>(
  collection: Pick<Collection<{ _id: ObjectId }>, 'find'>,
  ids: readonly ObjectId[],
  projection: Document,
): Promise<Row[]> {
  if (ids.length === 0) return []
  const rows = await collection.find<Row>({ _id: { $in: [...ids] } }, { projection, maxTimeMS: MAX_TIME_MS }).toArray()
  const byId = new Map(rows.map((row) => [row._id.toHexString(), row]))
  return ids.flatMap((id) => byId.get(id.toHexString()) ?? [])
}
