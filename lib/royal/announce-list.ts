import { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { RoyalDeps } from './deps.ts'

interface AnnounceListInput {
  userId: string
  /** The change that another instance announced; without one the list is announced however new it is. */
  change?: { rev: number; sender: string | undefined }
}

/**
 * Reads a royal list that another process changed, or may have changed, and tells the sockets of its user. A list that is
 * newer than the change is left to the announcement of its own change.
 */
export async function announceList(
  { db, emit }: Pick<RoyalDeps, 'db' | 'emit'>,
  { userId, change }: AnnounceListInput,
): Promise<void> {
  if (!emit.royal.isFollowed(userId)) return
  const user = await db.users.findOne(
    { _id: new ObjectId(userId) },
    { projection: { royalGames: 1, rev: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (user === null || (change !== undefined && user.rev !== change.rev)) return
  const royalGames = (user.royalGames ?? []).map((id) => id.toHexString())
  emit.royal.changed(userId, { royalGames }, { rev: user.rev, except: change?.sender, isRemote: true })
}
