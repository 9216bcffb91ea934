import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { Comment, EditCommentBody } from '../../contract/comments.ts'
import { COMMENT_BODY_MAX } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { sanitizeBody } from '../markup/sanitize-body.ts'
import { dropPages } from './caches.ts'
import { type CommentRow, rowProjection, toUpdated } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { inThread } from './in-thread.ts'
import { assertAllowedBody } from './new-account-body.ts'
import { commentToWire } from './to-wire.ts'

type EditCommentInput = z.output<typeof EditCommentBody> & { commentId: string }

/** Cleans a text for storage. The stored text is accepted whatever its length, because cleaning may have made it longer. */
function toStored(body: string, before: string | undefined): string {
  if (body === before) return body
  if (body.length > COMMENT_BODY_MAX) throw new DomainError('INVALID', MESSAGES.commentTooLong)
  return sanitizeBody(body)
}

function assertEditable(comment: CommentRow | null, { user }: Actor): asserts comment is CommentRow {
  if (comment === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (!comment.userId.equals(user._id)) throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
  if (comment.status !== 'visible') throw new DomainError('FORBIDDEN', MESSAGES.commentNotEditable)
}

async function writeEdit(deps: CommentsDeps, actor: Actor, input: EditCommentInput) {
  const _id = new ObjectId(input.commentId)
  const { comments } = deps.db
  const filter = { _id, status: { $ne: 'deleted' as const } }
  const before = await comments.findOne<CommentRow>(filter, { projection: rowProjection(actor.user) })
  const sent = input.body === undefined ? undefined : toStored(input.body, before?.body)
  assertEditable(before, actor)
  if (sent !== undefined) assertAllowedBody(actor.user, sent, before.body)
  const { body = before.body, isSpoiler = before.isSpoiler } = { ...input, body: sent }
  if (body === before.body && isSpoiler === before.isSpoiler) return { result: before, event: null }

  // Another instance may change the other field meanwhile.
  const changes = { ...(sent !== undefined && { body }), ...(input.isSpoiler !== undefined && { isSpoiler }) }
  const written = await comments.findOneAndUpdate(
    { _id, status: 'visible', $nor: [changes] },
    {
      $set: { ...changes, updatedAt: deps.clock(), sentBy: createSentBy(deps, actor.socketId) },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after', projection: rowProjection(actor.user) },
  )
  // The driver types the answer as the stored document; the projection leaves out the voters and adds the flags.
  const edited = written as CommentRow | null
  // Another instance has hidden or deleted the comment since it was read, or made the same edit.
  if (edited === null) return await writeEdit(deps, actor, input)
  dropPages(deps, edited.gameId)
  await deps.failpoint('comment:written')
  return { result: edited, event: { payload: toUpdated(edited), version: { rev: edited.rev } } }
}

/**
 * Changes the text or the spoiler flag of the actor's own visible comment.
 * @throws DomainError INVALID, NOT_FOUND, FORBIDDEN
 */
export async function editComment(deps: CommentsDeps, actor: Actor, input: EditCommentInput): Promise<Comment> {
  const turn = { commentId: input.commentId, sends: 'updated' } as const
  const row = await inThread(deps, actor, turn, () => writeEdit(deps, actor, input))
  return commentToWire(deps, row, actor.user)
}
