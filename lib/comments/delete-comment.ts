import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { CommentStatusChanged } from '../contract/namespaces/comments.ts'
import type { VersionedEvent } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { writeStatus } from './write-status.ts'

interface DeleteCommentInput {
  commentId: string
  user: SessionUser
  excludeSocketId?: string | undefined
}

/**
 * Deletes a comment for its author or an admin: the text goes at once, the place in the thread stays.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export async function deleteComment(
  deps: CommentsDeps,
  { commentId, user, excludeSocketId }: DeleteCommentInput,
): Promise<{ changed: CommentRow; event: VersionedEvent<CommentStatusChanged> | null }> {
  const { before, event } = await writeStatus(deps, {
    _id: new ObjectId(commentId),
    user,
    excludeSocketId,
    choose({ userId }) {
      if (!user.isAdmin && !userId.equals(user._id)) throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
      return { status: 'deleted', fields: { body: '' }, action: 'comment-deleted' }
    },
  })
  return { changed: { ...before, status: 'deleted' }, event }
}
