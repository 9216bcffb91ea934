import type { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { Comment, SetCommentStatusBody } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ReportDecisionBody } from '../../contract/reports.ts'
import type { StaffActionKind } from '../../contract/staff.ts'
import { OF_TARGET } from '../../infrastructure/db/collections/staff-actions.ts'
import type { Actor } from '../auth/actor.ts'
import { notifyModeration } from '../notifications/notify-moderation.ts'
import { reopenReports, resolveReports } from '../reports/resolve-reports.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { CommentRow } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { commentToWire } from './to-wire.ts'
import {
  type ChangedStatus,
  inStatusTurn,
  isOpen,
  type StatusChange,
  type StatusTurn,
  writeStatus,
} from './write-status.ts'

interface Decision extends Pick<StatusChange, 'status' | 'set'> {
  /** Why, for the author and the staff log. */
  reason?: string | undefined
}

const STATUSES = { hide: 'hidden', delete: 'deleted', keep: 'visible' } as const

function assertVersion(before: CommentRow, updatedAt: string | undefined): void {
  if (updatedAt !== undefined && before.updatedAt.getTime() !== Date.parse(updatedAt))
    throw new DomainError('CONFLICT', MESSAGES.commentEdited)
}

/** Writes a status, and with it the outcome of open reports. A comment that waits does so no longer. */
async function writeDecision(turn: StatusTurn, { status, reason, set = {} }: Decision) {
  const { deps, actor, before, session } = turn
  const resolution = { actor, commentId: before._id, status, reason, actId: set.actId }
  const settle = async () => ({ reportedBy: [], decided: await resolveReports(deps, resolution, session) })
  return await writeStatus(turn, { status, set, settle })
}

function nameAction({ before }: Pick<StatusTurn, 'before'>, { status }: Decision): StaffActionKind {
  if (status !== 'visible') return status === 'deleted' ? 'comment-deleted' : 'comment-hidden'
  return before.status === 'hidden' ? 'comment-shown' : 'reports-cleared'
}

/** Adds a decision to the staff log and notifies the author. Without an actor the service itself has decided. */
export async function recordModeration(turn: Omit<StatusTurn, 'actor'> & { actor: Actor | null }, decision: Decision) {
  const { deps, actor, before, session } = turn
  const { status, reason } = decision
  const target = { kind: 'comment' as const, id: before._id.toHexString() }
  const gameId = before.gameId.toHexString()
  const details = { gameId, reportsCount: before.reportsCount, ...(reason !== undefined && { reason }) }
  const entry = { actor: actor?.user ?? null, action: nameAction(turn, decision), target, details }
  await recordStaffAction(deps, entry, { session })
  if (status !== before.status || status === 'hidden')
    await notifyModeration(deps, actor, { ...before, status, reason }, session)
  await deps.failpoint('comment:action-recorded')
}

async function moderate(turn: StatusTurn, decision: Decision): Promise<ChangedStatus> {
  const written = await writeDecision(turn, decision)
  await recordModeration(turn, decision)
  return written
}

async function change(
  deps: CommentsDeps,
  actor: Actor,
  commentId: string,
  decide: (turn: StatusTurn) => Promise<ChangedStatus>,
): Promise<Comment> {
  const row = await inStatusTurn(deps, actor, { commentId }, decide)
  return await commentToWire(deps, row, actor.user)
}

/**
 * Decides for an admin about open reports, or about a comment that waits: only the first decision is accepted, and only about
 * the text that was read.
 * @throws DomainError NOT_FOUND, CONFLICT
 */
export const decideReports = (
  deps: CommentsDeps,
  actor: Actor,
  { commentId, action, reason, updatedAt }: z.output<typeof ReportDecisionBody> & { commentId: string },
): Promise<Comment> =>
  change(deps, actor, commentId, async (turn) => {
    const { before } = turn
    if (before.status === 'deleted' || !isOpen(before)) throw new DomainError('CONFLICT', MESSAGES.reportsDecided)
    assertVersion(before, updatedAt)
    return await moderate(turn, { status: STATUSES[action], reason })
  })

/**
 * Hides or shows a comment for an admin, and decides about its open reports. A change of the admin's own comment is not in the
 * staff log.
 * @throws DomainError NOT_FOUND, CONFLICT for a text that was edited since it was read
 */
export const setStatus = (
  deps: CommentsDeps,
  actor: Actor,
  { commentId, updatedAt, ...decision }: z.output<typeof SetCommentStatusBody> & { commentId: string },
): Promise<Comment> =>
  change(deps, actor, commentId, async (turn) => {
    const { before } = turn
    if (before.status === 'deleted') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
    assertVersion(before, updatedAt)
    // A comment that an admin hides once more is no longer shown by the undoing of an act.
    const isOfAct = decision.status === 'hidden' && before.actId !== undefined
    if (decision.status === before.status && !isOpen(before) && !isOfAct) return null
    return await (before.userId.equals(actor.user._id) ? writeDecision : moderate)(turn, decision)
  })

/**
 * Deletes a comment for its author, or for an admin, and decides about its open reports. The text is removed at once, the
 * place in the thread stays.
 * @throws DomainError NOT_FOUND, FORBIDDEN
 */
export const deleteComment = (deps: CommentsDeps, actor: Actor, { commentId }: { commentId: string }) =>
  change(deps, actor, commentId, async (turn) => {
    const { before } = turn
    if (before.status === 'deleted') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
    if (before.userId.equals(actor.user._id)) {
      const isKept = before.status === 'visible' && !isOpen(before)
      return await writeDecision(turn, { status: 'deleted', set: isKept ? { isKept } : {} })
    }
    if (!actor.user.isAdmin) throw new DomainError('FORBIDDEN', MESSAGES.commentNotYours)
    return await moderate(turn, { status: 'deleted' })
  })

/** An act of an admin on all comments of a user, which alone is in the staff log and notified. */
export interface Act {
  /** The act itself, also when it is undone. */
  _id: ObjectId
  at: Date
  status: 'hidden' | 'visible'
}

/** Hides a visible comment that nobody has decided about since the act began. */
async function hide(turn: StatusTurn, { _id: actId, at }: Act): Promise<ChangedStatus> {
  const { deps, before, session } = turn
  const { _id } = before
  const decisions = { 'target.kind': 'comment', 'target.id': _id.toHexString(), at: { $gte: at } } as const
  const options = { session, hint: OF_TARGET, projection: { _id: 1 } }
  if (before.status !== 'visible' || (await deps.db.staffActions.findOne(decisions, options))) return null
  const written = await writeDecision(turn, { status: 'hidden', set: { actId } })
  if (written.isTakenBack) await deps.db.comments.updateOne({ _id }, { $set: { isUntold: true } }, { session })
  return written
}

/** Shows a comment that still bears the act's id, and opens again the reports that the act has decided. */
async function show(turn: StatusTurn, { _id: actId }: Act): Promise<ChangedStatus> {
  const { deps, before, session } = turn
  if (before.status !== 'hidden' || !before.actId?.equals(actId)) return null
  async function settle() {
    const reportedBy = await reopenReports(deps, { commentId: before._id, actId }, session)
    return { reportedBy, decided: -reportedBy.length }
  }
  return await writeStatus(turn, { status: 'visible', set: { actId }, settle })
}

/** Changes one comment of an act, or leaves it as it is. @throws DomainError NOT_FOUND */
export const changeByAct = (deps: CommentsDeps, actor: Actor, { commentId, act }: { commentId: string; act: Act }) =>
  inStatusTurn(deps, actor, { commentId, isUnbounded: true }, (turn) =>
    act.status === 'hidden' ? hide(turn, act) : show(turn, act),
  )
