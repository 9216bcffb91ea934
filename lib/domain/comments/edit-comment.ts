import { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { Comment, EditCommentBody } from '../../contract/comments.ts'
import { COMMENT_BODY_MAX } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentUpdated } from '../../contract/namespaces/comments.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { sanitizeBody } from '../markup/sanitize-body.ts'
import { type CommentRow, rowProjection, toUpdated } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { mustWait } from './held.ts'
import { inThread } from './in-thread.ts'
import { assertAllowedBody } from './new-account-body.ts'
import { commentToWire } from './to-wire.ts'
import { type ChangedStatus, inStatusTurn, type StatusTurn, writeStatus } from './write-status.ts'

type EditCommentInput = z.output<typeof EditCommentBody> & { commentId: string }

/** Cleans a text for storage. The stored text is accepted whatever its length, because cleaning may have made it longer. */
function toStored(body: string, before: string | undefined): string {
  if (body === before) return body
  if (body.length > COMMENT_BODY_MAX) throw new DomainError('INVALID', MESSAGES.commentTooLong)
  return sanitizeBody(body)
}

/** Makes the fields that an edit changes. Null when nothing changes. @throws DomainError INVALID, NOT_FOUND, FORBIDDEN */
function toChanges({ user }: Actor, input: EditCommentInput, before: CommentRow | null) {
  // An unusable text is refused before a missing comment.
  const sent = input.body === undefined ? undefined : toStored(input.body, before?.body)
  if (before === null || before.status === 'deleted') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (!before.userId.equals(user._id)) throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
  if (before.status !== 'visible' && before.heldAt == null)
    throw new DomainError('FORBIDDEN', MESSAGES.commentNotEditable)
  if (sent !== undefined) assertAllowedBody(user, sent, before.body)
  const body = sent ?? before.body
  const isSpoiler = input.isSpoiler ?? before.isSpoiler
  if (body === before.body && isSpoiler === before.isSpoiler) return { before, changes: null }

  // Another instance may change the field that was not sent.
  const changes = { ...(sent !== undefined && { body }), ...(input.isSpoiler !== undefined && { isSpoiler }) }
  return { before, changes }
}

async function writeEdit(
  deps: CommentsDeps,
  actor: Actor,
  input: EditCommentInput,
): Promise<Changed<CommentRow, CommentUpdated>> {
  const options = { projection: rowProjection(actor.user) }
  const stored = await deps.db.comments.findOne<CommentRow>({ _id: new ObjectId(input.commentId) }, options)
  const { before, changes } = toChanges(actor, input, stored)
  if (changes === null) return { result: before, event: null }
  const { _id, status, heldAt } = before
  const updatedAt = deps.clock()
  const written = await deps.db.comments.findOneAndUpdate(
    { _id, status, ...(heldAt && { heldAt }), $nor: [changes] },
    {
      $set: {
        ...changes,
        ...(heldAt && { heldAt: updatedAt }),
        updatedAt,
        sentBy: createSentBy(deps, actor.socketId),
      },
      $inc: { rev: 1 },
    },
    { returnDocument: 'after', projection: rowProjection(actor.user) },
  )
  // The driver types the answer as the stored document; the projection leaves out the voters and adds the flags.
  const edited = written as CommentRow | null
  // Another instance has hidden, shown or deleted the comment since it was read, or made the same edit.
  if (edited === null) return await writeEdit(deps, actor, input)
  deps.commentCaches.dropPages(edited.gameId)
  await deps.failpoint('comment:written')
  if (heldAt) deps.emit.reports.changed({ commentId: input.commentId })
  return { result: edited, event: heldAt ? null : { payload: toUpdated(edited), version: { rev: edited.rev } } }
}

/** Writes an edit after which the comment waits. One that was visible is hidden as by a moderator, and its reports stay open. */
async function writeWaiting(turn: StatusTurn, input: EditCommentInput): Promise<ChangedStatus> {
  const { changes } = toChanges(turn.actor, input, turn.before)
  if (changes === null) return null
  const at = turn.deps.clock()
  const set = { ...changes, heldAt: at, updatedAt: at }
  return await writeStatus(turn, { status: 'hidden', set })
}

/**
 * Changes the text or the spoiler flag of the actor's own comment, which is visible or waits for a moderator. While the
 * actor's comments are held, it waits afterwards.
 * @throws DomainError INVALID, NOT_FOUND, FORBIDDEN
 */
export async function editComment(deps: CommentsDeps, actor: Actor, input: EditCommentInput): Promise<Comment> {
  const { commentId } = input
  const row = (await mustWait(deps, actor.user))
    ? await inStatusTurn(deps, actor, { commentId }, (turn) => writeWaiting(turn, input))
    : await inThread(deps, actor, { commentId, send: deps.emit.comments.updated }, () => writeEdit(deps, actor, input))
  return commentToWire(deps, row, actor.user)
}
