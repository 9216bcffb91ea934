import { createHash } from 'node:crypto'
import { ObjectId } from 'mongodb'

/** The id of an entry of the first data: the same at each attempt, so that one begun twice is still one. */
export function seedId(
  kind: 'platform' | 'game' | 'character' | 'conflict' | 'comment' | 'request' | 'picture',
  key: string,
): ObjectId {
  return new ObjectId(createHash('sha256').update(`gamehall ${kind} ${key}`).digest('hex').slice(0, 24))
}
