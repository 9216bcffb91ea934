import { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import type { RoyalList } from './change-list.ts'
import type { RoyalDeps } from './deps.ts'

/**
 * Reads the stored list; an account without one has an empty list.
 * @throws DomainError NOT_FOUND when the user is gone
 */
export async function loadRoyalGames(
  { db }: Pick<RoyalDeps, 'db'>,
  { userId }: { userId: string },
): Promise<RoyalList> {
  const user = await db.users.findOne(
    { _id: new ObjectId(userId) },
    { projection: { royalGames: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
  return { royalGames: (user.royalGames ?? []).map((id) => id.toHexString()), rejected: [] }
}
