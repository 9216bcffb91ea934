import { ObjectId } from 'mongodb'
import { hashedId } from '../system/hashed-id.ts'

/** The id of an entry of the first data: the same at each attempt, so that one begun twice is still one. */
export function seedId(
  kind:
    | 'platform'
    | 'game'
    | 'character'
    | 'conflict'
    | 'comment'
    | 'request'
    | 'picture'
    | 'notification'
    | 'staff action',
  key: string,
): ObjectId {
  return new ObjectId(hashedId(`gamehall ${kind} ${key}`))
}
