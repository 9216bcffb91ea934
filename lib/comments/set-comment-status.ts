import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentStatusChanged } from '../contract/namespaces/comments.ts'
import type { VersionedEvent } from '../emitter.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { writeStatus } from './write-status.ts'

interface SetCommentStatusInput {
  commentId: string
  status: 'visible' | 'hidden'
  admin: SessionUser
  excludeSocketId?: string | undefined
}

const CLEARED = { reportsCount: 0, reportedBy: [] }

/**
 * Hides a comment or shows it again; showing it, even again, clears its reports. `event` is null when the status was
 * that already.
 * @throws DomainError NOT_FOUND
 */
export async function setCommentStatus(
  deps: CommentsDeps,
  { commentId, status, admin, excludeSocketId }: SetCommentStatusInput,
): Promise<{ changed: CommentRow; event: VersionedEvent<CommentStatusChanged> | null }> {
  const { before, event } = await writeStatus(deps, {
    _id: new ObjectId(commentId),
    user: admin,
    excludeSocketId,
    choose(found) {
      if (status === 'hidden')
        return found.status === 'hidden' ? null : { status, fields: {}, action: 'comment-hidden' }
      if (found.status === 'hidden') return { status, fields: CLEARED, action: 'comment-shown' }
      return found.reportsCount > 0 ? { status, fields: CLEARED, action: 'reports-cleared' } : null
    },
  })
  const cleared = status === 'visible' && { reportsCount: 0, isReported: false }
  return { changed: { ...before, status, ...cleared }, event }
}
