import type { Filter } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { toSaid } from '../feed/announcement.ts'
import { announceAgain } from './announce-again.ts'
import { dropDiscussion } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { toThreadQueueKey } from './thread-queue-key.ts'

/**
 * Counts a thread's visible replies again and stores the number: a process may have been killed between a reply and its
 * count. While the thread is being written to, the difference may be a write on its way, so nothing is done: a later read
 * finds what is really wrong. It never fails, since the read that found it has its answer.
 */
export async function repairRepliesCount(
  deps: CommentsDeps,
  { _id, gameId }: Pick<CommentDocument, '_id' | 'gameId'>,
): Promise<void> {
  const key = toThreadQueueKey(_id)
  if (!deps.queue.isIdle(key)) return

  const repair = async () => {
    const { comments } = deps.db
    const before = await comments.findOne({ _id }, { projection: { repliesCount: 1 } })
    const repliesCount = await comments.countDocuments({ parentId: _id, status: 'visible' })
    if (before === null || before.repliesCount === repliesCount) return

    deps.log.warn({ commentId: _id.toHexString(), from: before.repliesCount, to: repliesCount }, 'a count was repaired')
    // Where an older release stored no count, null matches.
    const filter = { _id, repliesCount: before.repliesCount ?? null } as Filter<CommentDocument>
    const said = toSaid(deps, { event: null, payload: { gameId: gameId.toHexString() } })
    const write = () => comments.updateOne(filter, { $set: { repliesCount, said } }, { maxTimeMS: MAX_TIME_MS })
    await deps.feed.lostAnswers.guard(write, () => announceAgain(deps, null, _id))
    dropDiscussion(deps, gameId)
  }
  await deps.queue
    .run(key, repair)
    .catch((error: unknown) => deps.log.warn({ err: error }, 'a count could not be repaired'))
}
