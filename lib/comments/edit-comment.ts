import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentUpdated } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Announced } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { toSaid } from '../events/announcement.ts'
import { announceAgain, toUpdated } from './announce-again.ts'
import { dropPages } from './caches.ts'
import { asRow, type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findHome } from './find-home.ts'
import { readAuthorAndStatus } from './read-author-and-status.ts'
import { sanitizeBody } from './sanitize-body.ts'

interface EditCommentInput {
  commentId: string
  /** Rich text as the reader wrote it. */
  body?: string | undefined
  isSpoiler?: boolean | undefined
  editor: SessionUser
  /** The socket that is not told. */
  sender?: string | undefined
}

/**
 * Changes the text or the spoiler flag of one's own visible comment.
 * @throws DomainError INVALID, NOT_FOUND, FORBIDDEN
 */
export async function editComment(
  deps: CommentsDeps,
  { commentId, body, isSpoiler, editor, sender }: EditCommentInput,
): Promise<{ edited: CommentRow; event: Announced<CommentUpdated> }> {
  const { db, clock, feed } = deps
  const _id = new ObjectId(commentId)
  const changes = {
    ...(body !== undefined && { body: sanitizeBody(body) }),
    ...(isSpoiler !== undefined && { isSpoiler }),
    updatedAt: clock(),
  }
  const { gameId } = await findHome(deps, commentId)
  // Without the text: a later deletion would have to look for it here, too.
  const said = toSaid(deps, { event: 'comment:updated', payload: { gameId: gameId.toHexString(), commentId }, sender })
  const write = () =>
    db.comments.findOneAndUpdate(
      { _id, userId: editor._id, status: 'visible' },
      { $set: { ...changes, said }, $inc: { rev: 1 } },
      { returnDocument: 'after', projection: { ...rowProjection(editor), rev: 1 }, maxTimeMS: MAX_TIME_MS },
    )
  const edited = asRow(await feed.lostAnswers.guard(write, () => announceAgain(deps, 'comment:updated', _id)))
  if (edited !== null) {
    dropPages(deps, gameId)
    await deps.failpoint('comment:written')
    return { edited, event: { payload: toUpdated(edited), version: { rev: edited.rev } } }
  }

  const { userId } = await readAuthorAndStatus(deps, _id)
  throw new DomainError('FORBIDDEN', userId.equals(editor._id) ? MESSAGES.commentNotEditable : MESSAGES.commentNotYours)
}
