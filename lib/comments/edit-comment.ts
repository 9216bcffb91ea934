import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/find-session-user.ts'
import type { Comment } from '../contract/comments.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import { asRow, rowProjection } from './comment-row.ts'
import { findStanding } from './find-standing.ts'
import { sanitizeBody } from './sanitize-body.ts'
import { commentToWire } from './to-wire.ts'

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
export async function editComment(deps: Deps, { commentId, body, isSpoiler, editor }: Edit): Promise<Comment> {
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
      { returnDocument: 'after', projection: rowProjection(editor) },
    ),
  )
  if (edited !== null) return commentToWire(deps, edited, editor)

  const { userId } = await findStanding(deps, _id)
  throw new DomainError('FORBIDDEN', userId.equals(editor._id) ? MESSAGES.commentNotEditable : MESSAGES.commentNotYours)
}
