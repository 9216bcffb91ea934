import type { Collection, Document, FindOptions, ObjectId } from 'mongodb'

type Readable = Pick<Collection<{ _id: ObjectId }>, 'find'>

/** Reads the documents of these ids in one query; no query without ids. The keys are the ids in hex. */
export async function mapByIds<Row extends { _id: ObjectId }>(
  collection: Readable,
  ids: readonly ObjectId[],
  projection: Document,
  options: FindOptions = {},
): Promise<ReadonlyMap<string, Row>> {
  if (ids.length === 0) return new Map()
  const rows = await collection.find<Row>({ _id: { $in: [...ids] } }, { ...options, projection }).toArray()
  return new Map(rows.map((row) => [row._id.toHexString(), row]))
}

/** Reads the documents of these ids in their order, without deleted ones. */
export async function findByIds<Row extends { _id: ObjectId }>(
  collection: Readable,
  ids: readonly ObjectId[],
  projection: Document,
): Promise<Row[]> {
  const byId = await mapByIds<Row>(collection, ids, projection)
  return ids.flatMap((id) => byId.get(id.toHexString()) ?? [])
}
