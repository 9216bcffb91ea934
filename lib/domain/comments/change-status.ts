import { type ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { Comment, CommentStatus } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentStatusChanged } from '../../contract/namespaces/comments.ts'
import type { StaffActionKind } from '../../contract/staff.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { notifyModeration } from '../notifications/notify-moderation.ts'
import { takeReplyBack } from '../notifications/take-reply-back.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import { dropDiscussion } from './caches.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { incrementReplyCount, inThread } from './in-thread.ts'
import { commentToWire } from './to-wire.ts'

interface ChangeStatusInput {
  commentId: string
  status: CommentStatus
}

type ChangedStatus = Changed<CommentRow, CommentStatusChanged>

const CLEARED = { reportsCount: 0, reportedBy: [] }

/** Chooses the fields written with a status, and the name of the action in the staff log. Null when nothing changes. */
function chooseChange(
  before: CommentRow,
  { user }: Actor,
  { status }: ChangeStatusInput,
): { fields: Partial<CommentDocument>; action: StaffActionKind } | null {
  if (status === 'deleted') {
    if (!user.isAdmin && !before.userId.equals(user._id)) throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
    return { fields: { body: '' }, action: 'comment-deleted' }
  }
  const isHidden = before.status === 'hidden'
  if (status === 'hidden') return isHidden ? null : { fields: {}, action: 'comment-hidden' }
  if (isHidden) return { fields: CLEARED, action: 'comment-shown' }
  return before.reportsCount > 0 ? { fields: CLEARED, action: 'reports-cleared' } : null
}

async function write(
  deps: CommentsDeps,
  actor: Actor,
  input: ChangeStatusInput,
  session: ClientSession,
): Promise<ChangedStatus> {
  const { commentId, status } = input
  const { user, socketId } = actor
  const { comments } = deps.db
  const filter = { _id: new ObjectId(commentId), status: { $ne: 'deleted' as const } }
  const before = await comments.findOne<CommentRow>(filter, { session, projection: rowProjection(user) })
  if (before === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  const change = chooseChange(before, actor, input)
  if (change === null) return { result: before, event: null }

  const { _id, parentId, rev = 0 } = before
  const gameId = before.gameId.toHexString()
  const sentBy = createSentBy(deps, socketId)
  const by = Number(status === 'visible') - Number(before.status === 'visible')
  const isCounted = parentId !== null && (by === 1 || by === -1)
  const thread = isCounted ? await incrementReplyCount(deps, { threadId: parentId, by, sentBy, session }) : null
  const isChanged = status !== before.status
  const counted = await comments.findOneAndUpdate(
    { _id },
    {
      $set: { ...change.fields, status, sentBy },
      $inc: { rev: Number(isChanged) },
      ...(status !== 'visible' && { $unset: { notificationId: 1 } }),
    },
    { session, projection: { notificationId: 1 } },
  )
  await deps.failpoint('comment:status-set')
  const { notificationId } = counted ?? {}
  if (status !== 'visible' && notificationId) await takeReplyBack(deps, { notificationId }, session)
  if (!before.userId.equals(user._id)) {
    const target = { kind: 'comment' as const, id: commentId }
    const details = { gameId, reportsCount: before.reportsCount }
    await recordStaffAction(deps, { actor: user, action: change.action, target, details }, { session })
    if (isChanged) await notifyModeration(deps, actor, { ...before, status }, session)
    await deps.failpoint('comment:action-recorded')
  }
  const payload = {
    gameId,
    commentId,
    parentId: parentId?.toHexString() ?? null,
    parentRepliesCount: thread?.repliesCount ?? null,
    status,
  }
  const cleared = status === 'visible' && { reportsCount: 0, isReported: false }
  return {
    result: { ...before, status, ...cleared },
    event: isChanged ? { payload, version: { rev: rev + 1, threadRev: thread?.rev } } : null,
  }
}

async function writeStatus(deps: CommentsDeps, actor: Actor, input: ChangeStatusInput): Promise<ChangedStatus> {
  const written = await deps.db.transaction((session) => write(deps, actor, input, session))
  dropDiscussion(deps, written.result.gameId)
  await deps.failpoint('comment:written')
  return written
}

/**
 * Hides, shows or deletes a comment for an admin, or deletes it for its author. One transaction holds the count of the
 * thread and, for somebody else's comment, the entry of the staff log. Showing it, even again, clears its reports. The text
 * of a deleted comment is removed at once, its place in the thread stays.
 * @throws DomainError NOT_FOUND for an unknown or deleted comment, FORBIDDEN
 */
export async function changeStatus(deps: CommentsDeps, actor: Actor, input: ChangeStatusInput): Promise<Comment> {
  const turn = { commentId: input.commentId, sends: 'status' } as const
  const row = await inThread(deps, actor, turn, () => writeStatus(deps, actor, input))
  return commentToWire(deps, row, actor.user)
}
