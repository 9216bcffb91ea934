import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentStatusChanged } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import { asRow, type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findStanding } from './find-standing.ts'
import { statusChanged } from './status-changed.ts'
import { forgetTotals } from './totals.ts'

/**
 * Deletes a comment for its author or an admin: the text goes at once, the place in the thread stays.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export async function deleteComment(
  deps: CommentsDeps,
  { commentId, user }: { commentId: string; user: SessionUser },
): Promise<{ changed: CommentRow; event: CommentStatusChanged }> {
  const _id = new ObjectId(commentId)
  const before = asRow(
    await deps.db.comments.findOneAndUpdate(
      { _id, status: { $ne: 'deleted' }, ...(!user.isAdmin && { userId: user._id }) },
      { $set: { status: 'deleted', body: '' } },
      { returnDocument: 'before', projection: rowProjection(user), maxTimeMS: MAX_TIME_MS },
    ),
  )
  if (before === null) {
    await findStanding(deps, _id)
    throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
  }
  try {
    return { changed: { ...before, status: 'deleted' }, event: await statusChanged(deps, before, 'deleted') }
  } finally {
    forgetTotals(deps, before.gameId)
  }
}
