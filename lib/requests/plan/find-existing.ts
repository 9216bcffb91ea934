import { type Collection, ObjectId } from 'mongodb'
import { findByIds } from '../../db/find-by-ids.ts'

/** Finds the entries of a collection with these ids, with one query at most. @returns their ids, by their hex */
export async function findExisting(
  collection: Pick<Collection<{ _id: ObjectId }>, 'find'>,
  hexes: readonly (string | undefined)[],
): Promise<ReadonlyMap<string, ObjectId>> {
  const ids = [...new Set(hexes)].flatMap((hex) => (hex === undefined ? [] : new ObjectId(hex)))
  const rows = await findByIds<{ _id: ObjectId }>(collection, ids, { _id: 1 })
  return new Map(rows.map(({ _id }) => [_id.toHexString(), _id]))
}
