import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentUpdated } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import { asRow, type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findStanding } from './find-standing.ts'
import { sanitizeBody } from './sanitize-body.ts'

interface Edit {
  commentId: string
  /** Rich text as the reader wrote it. */
  body?: string | undefined
  isSpoiler?: boolean | undefined
  editor: SessionUser
}

/**
 * Changes the text or the spoiler flag of one's own visible comment.
 * @throws DomainError INVALID, NOT_FOUND, FORBIDDEN
 */
export async function editComment(
  deps: CommentsDeps,
  { commentId, body, isSpoiler, editor }: Edit,
): Promise<{ edited: CommentRow; event: CommentUpdated }> {
  const { db, clock } = deps
  const _id = new ObjectId(commentId)
  const changes = {
    ...(body !== undefined && { body: sanitizeBody(body) }),
    ...(isSpoiler !== undefined && { isSpoiler }),
    updatedAt: clock(),
  }
  const edited = asRow(
    await db.comments.findOneAndUpdate(
      { _id, userId: editor._id, status: 'visible' },
      { $set: changes },
      { returnDocument: 'after', projection: rowProjection(editor), maxTimeMS: MAX_TIME_MS },
    ),
  )
  if (edited !== null) {
    const event = {
      gameId: edited.gameId.toHexString(),
      commentId: _id.toHexString(),
      body: edited.body,
      isSpoiler: edited.isSpoiler,
      updatedAt: edited.updatedAt.toISOString(),
    }
    return { edited, event }
  }

  const { userId } = await findStanding(deps, _id)
  throw new DomainError('FORBIDDEN', userId.equals(editor._id) ? MESSAGES.commentNotEditable : MESSAGES.commentNotYours)
}
