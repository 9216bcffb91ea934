import { type Collection, ObjectId } from 'mongodb'

/** Finds the entries of a collection with these ids, with one query at most. @returns their ids, by their hex */
export async function findExisting(
  collection: Pick<Collection<{ _id: ObjectId }>, 'find'>,
  hexes: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, ObjectId>> {
  const ids = [...new Set(hexes)].flatMap((hex) => (hex === undefined ? [] : new ObjectId(hex)))
  if (ids.length === 0) return new Map()
  const rows = await collection.find({ _id: { $in: ids } }, { projection: { _id: 1 } }).toArray()
  return new Map(rows.map(({ _id }) => [_id.toHexString(), _id]))
}
