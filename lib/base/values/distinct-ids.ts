import type { ObjectId } from 'mongodb'

/** Each id once, in the given order. */
export const distinctIds = (ids: readonly ObjectId[]): ObjectId[] => [
  ...new Map(ids.map((id) => [id.toHexString(), id])).values(),
]
