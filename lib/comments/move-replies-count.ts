import type { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { announcedState } from '../events/announcement.ts'
import type { CommentsDeps } from './deps.ts'

interface MovedCount {
  repliesCount: number
  rev?: number
}

interface MoveRepliesCountInput {
  threadId: ObjectId
  /** The id of a new reply, or the `visibilityChange` of one that was hidden, shown or deleted. */
  change: ObjectId
  by: 1 | -1
  /** The announcement of the reply. */
  said: string
}

const CHANGES_KEPT = 32
const ANSWER = { projection: { repliesCount: 1, rev: 1 }, maxTimeMS: MAX_TIME_MS } as const

/**
 * Moves a thread's count of visible replies by one, with the announcement of the reply that it counts. A change that was
 * counted before, here or by another instance, moves nothing. Answers the count after it; null when the thread is gone.
 */
export async function moveRepliesCount(
  { db: { comments }, failpoint }: Pick<CommentsDeps, 'db' | 'failpoint'>,
  { threadId, change, by, said }: MoveRepliesCountInput,
): Promise<MovedCount | null> {
  await failpoint('comment:count')
  const counted = { $concatArrays: [{ $ifNull: ['$countedChanges', []] }, [change]] }
  const moved = await comments.findOneAndUpdate(
    { _id: threadId, countedChanges: { $ne: change } },
    [
      {
        $set: {
          repliesCount: { $max: [0, { $add: [{ $ifNull: ['$repliesCount', 0] }, by] }] },
          countedChanges: { $slice: [counted, -CHANGES_KEPT] },
          ...announcedState(said),
        },
      },
    ],
    { returnDocument: 'after', ...ANSWER },
  )
  return moved ?? (await comments.findOne({ _id: threadId }, ANSWER))
}
