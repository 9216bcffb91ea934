import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { Comment, SetCommentStatusBody } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ReportDecisionBody } from '../../contract/reports.ts'
import type { StaffActionKind } from '../../contract/staff.ts'
import type { Actor } from '../auth/actor.ts'
import { notifyModeration } from '../notifications/notify-moderation.ts'
import { resolveReports } from '../reports/resolve-reports.ts'
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
  /** The author and the staff log are told why. */
  reason?: string | undefined
}

const STATUSES = { hide: 'hidden', delete: 'deleted', keep: 'visible' } as const

function assertVersion(before: CommentRow, updatedAt: string | undefined): void {
  if (updatedAt !== undefined && before.updatedAt.getTime() !== Date.parse(updatedAt))
    throw new DomainError('CONFLICT', MESSAGES.commentEdited)
}

/** Writes a status, and with it the outcome of open reports. A comment that waits does so no longer. */
export async function writeDecision(turn: StatusTurn, { status, reason, set = {} }: Decision) {
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
