import { type ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { Comment, CommentStatus } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentStatusChanged } from '../../contract/namespaces/comments.ts'
import type { StaffActionKind } from '../../contract/staff.ts'
import { OF_TARGET } from '../../infrastructure/db/collections/staff-actions.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { notifyModeration } from '../notifications/notify-moderation.ts'
import { takeReplyBack } from '../notifications/take-reply-back.ts'
import { findOpenReporters, reopenReports, resolveReports } from '../reports/resolve-reports.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import { dropDiscussion } from './caches.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { notifyFirstShowing } from './held.ts'
import { incrementReplyCount, inThread } from './in-thread.ts'
import { commentToWire } from './to-wire.ts'

interface ChangeStatusInput {
  commentId: string
  status: CommentStatus
  /** The author and the staff log are told why. */
  reason?: string | undefined
  /** True for a decision about open reports or a comment that waits, of which only the first is accepted. */
  isDecision?: boolean
  /** Refuses a decision about another version of the text. */
  updatedAt?: string | undefined
  /** The author whose edit makes the comment wait, which is no moderation. */
  author?: Actor
  /** The act of an admin on all comments of a user, which alone is in the staff log and notified. */
  act?: { _id: ObjectId; at: Date }
}

interface ChangedStatus extends Changed<CommentRow, CommentStatusChanged> {
  /** True when something about the comment was open before, or is open again. */
  isDecided: boolean
}

const isOpen = ({ reportsCount, heldAt }: CommentRow) => reportsCount > 0 || heldAt !== undefined

/** Chooses the name of a change in the staff log. Null when nothing changes. */
function chooseAction(before: CommentRow, { status }: ChangeStatusInput): StaffActionKind | null {
  if (status === 'deleted') return 'comment-deleted'
  // A decision that keeps hidden what an act hid takes it from the act.
  const isOfAct = status === 'hidden' && before.actId !== undefined
  if (status === before.status && !isOpen(before) && !isOfAct) return null
  if (status === 'hidden') return 'comment-hidden'
  return before.status === 'hidden' ? 'comment-shown' : 'reports-cleared'
}

/** True when an act changes a comment: it hides visible ones that nobody has decided about since, and shows those it has hidden. */
async function isChangedByAct(
  { db }: CommentsDeps,
  before: CommentRow,
  { commentId, status, act }: ChangeStatusInput,
  session: ClientSession,
): Promise<boolean> {
  if (act === undefined) return true
  if (status === 'visible') return before.status === 'hidden' && before.actId?.equals(act._id) === true
  const decisions = { 'target.kind': 'comment', 'target.id': commentId, at: { $gte: act.at } } as const
  const options = { session, hint: OF_TARGET, projection: { _id: 1 } }
  return before.status === 'visible' && (await db.staffActions.findOne(decisions, options)) === null
}

async function findComment(
  { db }: CommentsDeps,
  actor: Actor | null,
  { commentId, status, isDecision = false, updatedAt }: ChangeStatusInput,
  session: ClientSession,
): Promise<CommentRow> {
  const projection = rowProjection(actor?.user ?? null)
  const before = await db.comments.findOne<CommentRow>({ _id: new ObjectId(commentId) }, { session, projection })
  if (before === null || (before.status === 'deleted' && !isDecision)) {
    throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  }
  if (isDecision && (before.status === 'deleted' || !isOpen(before)))
    throw new DomainError('CONFLICT', MESSAGES.reportsDecided)
  if (updatedAt !== undefined && before.updatedAt.getTime() !== Date.parse(updatedAt))
    throw new DomainError('CONFLICT', MESSAGES.commentEdited)
  if (status === 'deleted' && actor && !actor.user.isAdmin && !before.userId.equals(actor.user._id)) {
    throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
  }
  return before
}

/**
 * Changes a status in a transaction. Without an actor the service itself hides a comment until an admin decides: its reports
 * stay open.
 */
export async function writeStatus(
  deps: CommentsDeps,
  actor: Actor | null,
  input: ChangeStatusInput,
  session: ClientSession,
): Promise<ChangedStatus> {
  const { commentId, status, reason = null, author, act } = input
  const { comments } = deps.db
  const before = await findComment(deps, actor, input, session)
  const action = chooseAction(before, input)
  if (action === null || !(await isChangedByAct(deps, before, input, session)))
    return { result: before, isDecided: false, event: null }

  const { _id, parentId, rev = 0 } = before
  const gameId = before.gameId.toHexString()
  const sentBy = createSentBy(deps, (actor ?? author)?.socketId)
  const by = Number(status === 'visible') - Number(before.status === 'visible')
  const isCounted = parentId !== null && (by === 1 || by === -1)
  const thread = isCounted ? await incrementReplyCount(deps, { threadId: parentId, by, sentBy, session }) : null
  const isChanged = status !== before.status
  const isOwn = actor !== null && !input.isDecision && before.userId.equals(actor.user._id)
  const isKept = isOwn && status === 'deleted' && before.status === 'visible' && !isOpen(before)
  const isFirstShowing = (before.isUnshown || before.isUntold) && status === 'visible'
  const shownBy = isFirstShowing ? await notifyFirstShowing(deps, before, session) : undefined
  const reporterIds = actor === null ? [] : await findOpenReporters(deps, _id, session)
  const isUndoing = act !== undefined && status === 'visible'
  const reopenedBy = isUndoing ? await reopenReports(deps, { commentId: _id, actId: act._id }, session) : []
  const decided = reporterIds.length - reopenedBy.length
  const counted = await comments.findOneAndUpdate(
    { _id },
    {
      $set: {
        ...(actor && { reportsCount: reopenedBy.length, reportedBy: reopenedBy }),
        ...(status === 'deleted' && { body: '' }),
        ...(shownBy && { notificationId: shownBy }),
        ...(isKept && { isKept }),
        ...(act && { actId: act._id }),
        status,
        sentBy,
      },
      $inc: { rev: Number(isChanged), ...(decided !== 0 && { decidedReportsCount: decided }) },
      $unset: {
        ...(!act && { actId: 1 }),
        isUntold: 1,
        ...(actor && { heldAt: 1 }),
        ...(status !== 'hidden' && { isUnshown: 1 }),
        ...(status !== 'visible' && { notificationId: 1 }),
      },
    },
    { session, projection: { notificationId: 1 } },
  )
  await deps.failpoint('comment:status-set')
  const { notificationId } = counted ?? {}
  const isTaken = status !== 'visible' && notificationId && (await takeReplyBack(deps, { notificationId }, session))
  if (isTaken && act) await comments.updateOne({ _id }, { $set: { isUntold: true } }, { session })
  if (actor)
    await resolveReports(deps, { actor, reporterIds, commentId: _id, status, reason, actId: act?._id }, session)
  if (!author && !act && !isOwn) {
    const target = { kind: 'comment' as const, id: commentId }
    const details = { gameId, reportsCount: before.reportsCount, ...(reason !== null && { reason }) }
    await recordStaffAction(deps, { actor: actor?.user ?? null, action, target, details }, { session })
    if (isChanged || status === 'hidden') await notifyModeration(deps, actor, { ...before, status, reason }, session)
    await deps.failpoint('comment:action-recorded')
  }
  const payload = {
    gameId,
    commentId,
    parentId: parentId?.toHexString() ?? null,
    parentRepliesCount: thread?.repliesCount ?? null,
    status,
  }
  const { heldAt: _decided, ...row } = before
  return {
    result: { ...row, status, ...(actor && { reportsCount: reopenedBy.length, isReported: false }) },
    isDecided: actor !== null && (isOpen(before) || reopenedBy.length > 0),
    event:
      isChanged && !(before.isUnshown && status === 'deleted')
        ? { payload, version: { rev: rev + 1, threadRev: thread?.rev } }
        : null,
  }
}

async function change(deps: CommentsDeps, actor: Actor, input: ChangeStatusInput): Promise<ChangedStatus> {
  const written = await deps.db.transaction((session) => writeStatus(deps, actor, input, session))
  dropDiscussion(deps, written.result.gameId)
  await deps.failpoint('comment:written')
  if (written.isDecided) deps.emit.reports.changed({ commentId: input.commentId })
  return written
}

/**
 * Hides, shows or deletes a comment for an admin, or deletes it for its author. One transaction holds the count of the
 * thread, the outcome of open reports with its notifications and, for somebody else's comment, the entry of the staff log.
 * The text of a deleted comment is removed at once, its place in the thread stays.
 * @throws DomainError NOT_FOUND for an unknown or deleted comment, FORBIDDEN, CONFLICT for a decision that comes too late
 */
export async function changeStatus(deps: CommentsDeps, actor: Actor, input: ChangeStatusInput): Promise<Comment> {
  const turn = {
    commentId: input.commentId,
    sends: 'status',
    ...(input.act && { isUnbounded: true as const }),
  } as const
  const row = await inThread(deps, actor, turn, () => change(deps, actor, input))
  return commentToWire(deps, row, actor.user)
}
