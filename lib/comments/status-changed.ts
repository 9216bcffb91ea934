import type { CommentStatus } from '../contract/comments.ts'
import type { CommentStatusChanged } from '../contract/comments-namespace.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { moveRepliesCount } from './move-replies-count.ts'

/**
 * Carries a comment's new status to the count of its thread and makes the event of it.
 * `before` is the comment as it was when the one update that changed it matched.
 */
export async function statusChanged(
  deps: Pick<CommentsDeps, 'db'>,
  before: CommentRow,
  status: CommentStatus,
): Promise<CommentStatusChanged> {
  const { _id, gameId, parentId } = before
  const by = Number(status === 'visible') - Number(before.status === 'visible')
  const isCounted = parentId !== null && (by === 1 || by === -1)

  return {
    gameId: gameId.toHexString(),
    commentId: _id.toHexString(),
    parentId: parentId?.toHexString() ?? null,
    parentRepliesCount: isCounted ? await moveRepliesCount(deps, parentId, by) : null,
    status,
  }
}
