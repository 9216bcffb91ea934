import type { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { announcedState } from '../feed/announcement.ts'
import type { CommentsDeps } from './deps.ts'

interface MovedCount {
  repliesCount: number
  rev?: number
}

/**
 * Moves a thread's count of visible replies by one, with the announcement of the reply that it counts. Answers the count
 * after it; null when the thread is gone.
 */
export async function moveRepliesCount(
  { db }: Pick<CommentsDeps, 'db'>,
  { threadId, by, said }: { threadId: ObjectId; by: 1 | -1; said: string },
): Promise<MovedCount | null> {
  return await db.comments.findOneAndUpdate(
    { _id: threadId },
    [
      {
        $set: {
          repliesCount: { $max: [0, { $add: [{ $ifNull: ['$repliesCount', 0] }, by] }] },
          ...announcedState(said),
        },
      },
    ],
    { returnDocument: 'after', projection: { repliesCount: 1, rev: 1 }, maxTimeMS: MAX_TIME_MS },
  )
}
