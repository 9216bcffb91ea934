import { ObjectId, type UpdateFilter } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentStatusChanged } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { DomainError } from '../errors.ts'
import { asRow, type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { statusChanged } from './status-changed.ts'
import { forgetTotals } from './totals.ts'

interface StatusChange {
  commentId: string
  status: 'visible' | 'hidden'
  admin: SessionUser
}

const CLEARED = { reportsCount: 0, reportedBy: [] }

/**
 * Hides a comment or shows it again; showing it, even again, clears its reports. `event` is null when the status was
 * that already.
 * @throws DomainError NOT_FOUND
 */
export async function setCommentStatus(
  deps: CommentsDeps,
  { commentId, status, admin }: StatusChange,
): Promise<{ changed: CommentRow; event: CommentStatusChanged | null }> {
  const _id = new ObjectId(commentId)
  const update: UpdateFilter<CommentDocument> = { $set: { status, ...(status === 'visible' && CLEARED) } }
  const before = asRow(
    await deps.db.comments.findOneAndUpdate({ _id, status: { $ne: 'deleted' } }, update, {
      returnDocument: 'before',
      projection: rowProjection(admin),
      maxTimeMS: MAX_TIME_MS,
    }),
  )
  if (before === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)

  try {
    return {
      changed: { ...before, status, ...(status === 'visible' && { reportsCount: 0, isReported: false }) },
      event: before.status === status ? null : await statusChanged(deps, before, status),
    }
  } finally {
    forgetTotals(deps, before.gameId)
  }
}
