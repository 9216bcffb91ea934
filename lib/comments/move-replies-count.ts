import type { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentsDeps } from './deps.ts'

/** Moves a thread's count of visible replies by one and answers the count after it; null when the thread is gone. */
export async function moveRepliesCount(
  { db }: Pick<CommentsDeps, 'db'>,
  threadId: ObjectId,
  by: 1 | -1,
): Promise<number | null> {
  const thread = await db.comments.findOneAndUpdate(
    { _id: threadId },
    [{ $set: { repliesCount: { $max: [0, { $add: [{ $ifNull: ['$repliesCount', 0] }, by] }] } } }],
    { returnDocument: 'after', projection: { repliesCount: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  return thread?.repliesCount ?? null
}
