import type { CommentDocument } from '../db/comments.ts'
import type { Deps } from '../deps.ts'
import { threadKey } from './thread-of.ts'
import { forgetTotals } from './totals.ts'

/**
 * Counts a thread's visible replies again and stores the number: a process may have been killed between a reply and its
 * count. It takes the thread's turn, so no write of this process is between the two.
 */
export async function repairRepliesCount(
  deps: Deps,
  { _id, gameId }: Pick<CommentDocument, '_id' | 'gameId'>,
): Promise<void> {
  await deps.inOrder(threadKey(_id), async () => {
    const { comments } = deps.db
    const before = await comments.findOne({ _id }, { projection: { repliesCount: 1 } })
    const repliesCount = await comments.countDocuments({ parentId: _id, status: 'visible' })
    if (before === null || before.repliesCount === repliesCount) return

    deps.log.warn({ commentId: _id.toHexString(), from: before.repliesCount, to: repliesCount }, 'a count was repaired')
    await comments.updateOne({ _id, repliesCount: before.repliesCount }, { $set: { repliesCount } })
    forgetTotals(deps, gameId)
  })
}
