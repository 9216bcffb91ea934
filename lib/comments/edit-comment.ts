import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { EditCommentBody } from '../contract/comments.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { CommentUpdated } from '../contract/namespaces/comments.ts'
import type { VersionedEvent } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { createSentBy } from '../events/sent-by.ts'
import { sanitizeBody } from '../markup/sanitize-body.ts'
import { dropPages } from './caches.ts'
import { type CommentRow, rowProjection, toUpdated } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { readAuthorAndStatus } from './read-author-and-status.ts'

type EditCommentInput = z.output<typeof EditCommentBody> & {
  commentId: string
  editor: SessionUser
  excludeSocketId?: string | undefined
}

/**
 * Changes the text or the spoiler flag of one's own visible comment.
 * @throws DomainError INVALID, NOT_FOUND, FORBIDDEN
 */
export async function editComment(
  deps: CommentsDeps,
  { commentId, body, isSpoiler, editor, excludeSocketId }: EditCommentInput,
): Promise<{ edited: CommentRow; event: VersionedEvent<CommentUpdated> }> {
  const _id = new ObjectId(commentId)
  const changes = {
    ...(body !== undefined && { body: sanitizeBody(body) }),
    ...(isSpoiler !== undefined && { isSpoiler }),
    updatedAt: deps.clock(),
  }
  const written = await deps.db.comments.findOneAndUpdate(
    { _id, userId: editor._id, status: 'visible' },
    { $set: { ...changes, sentBy: createSentBy(deps, excludeSocketId) }, $inc: { rev: 1 } },
    { returnDocument: 'after', projection: rowProjection(editor), maxTimeMS: MAX_TIME_MS },
  )
  // The driver types the answer as the stored document; the projection leaves out the voters and adds the flags.
  const edited = written as CommentRow | null
  if (edited !== null) {
    dropPages(deps, edited.gameId)
    await deps.failpoint('comment:written')
    return { edited, event: { payload: toUpdated(edited), version: { rev: edited.rev } } }
  }

  const { userId } = await readAuthorAndStatus(deps, _id)
  throw new DomainError('FORBIDDEN', userId.equals(editor._id) ? MESSAGES.commentNotEditable : MESSAGES.commentNotYours)
}
