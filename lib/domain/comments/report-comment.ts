import type { ClientSession, ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { ReportState } from '../../contract/comments.ts'
import { REASON_OF_REPORTS } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ReportCommentBody } from '../../contract/reports.ts'
import { unsuspendedAt } from '../../infrastructure/db/collections/users.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { findOpenReporters, OPEN } from '../reports/resolve-reports.ts'
import { recordModeration } from './change-status.ts'
import type { CommentsDeps } from './deps.ts'
import { type ChangedStatus, inStatusTurn, type StatusTurn, writeStatus } from './write-status.ts'

type ReportInput = z.output<typeof ReportCommentBody> & { commentId: string }

const WEEK_MS = 7 * 24 * 60 * 60 * 1_000

/** True when enough of the open reports come from accounts that are neither new nor suspended. */
async function areReportsEnough(deps: CommentsDeps, commentId: ObjectId, session: ClientSession): Promise<boolean> {
  const { reportsHideAfter } = deps.config
  if (reportsHideAfter === 0) return false
  const now = deps.clock()
  const trusted = await deps.db.users.countDocuments(
    {
      _id: { $in: await findOpenReporters(deps, commentId, session) },
      createdAt: { $not: { $gt: new Date(now.getTime() - WEEK_MS) } },
      ...unsuspendedAt(now),
    },
    { session, limit: reportsHideAfter },
  )
  return trusted >= reportsHideAfter
}

/** Stores the report and its count, and hides the comment when there are enough. */
async function write(turn: StatusTurn, { reason, note }: ReportInput): Promise<ChangedStatus> {
  const { deps, before: comment, session } = turn
  const { comments, reports } = deps.db
  const { _id: reporterId } = turn.actor.user
  if (comment.status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  const { _id, gameId, userId: authorId, updatedAt, isReported } = comment
  if (authorId.equals(reporterId)) throw new DomainError('INVALID', MESSAGES.ownCommentReport)
  const earlier = await reports.findOne({ commentId: _id, reporterId }, { session })
  // A decided report counts again once the author has changed what was decided about.
  const decidedAt = earlier?.decidedAt ?? null
  if (isReported || (decidedAt && updatedAt <= decidedAt)) return null

  await reports.updateOne(
    { commentId: _id, reporterId },
    {
      $set: { gameId, authorId, reason: reason ?? null, note: note || null, at: deps.clock(), ...OPEN },
      $unset: { actId: 1 },
    },
    { upsert: true, session },
  )
  await deps.failpoint('report:stored')
  await comments.updateOne(
    { _id },
    {
      $push: { reportedBy: reporterId },
      $inc: { reportsCount: 1, ...(decidedAt && { decidedReportsCount: -1 }) },
      $set: { sentBy: createSentBy(deps) },
    },
    { session },
  )
  await deps.failpoint('report:counted')
  const before = { ...comment, reportsCount: comment.reportsCount + 1 }
  if (!(await areReportsEnough(deps, _id, session))) return { result: before, event: null, isInInbox: true }
  const decision = { status: 'hidden', reason: REASON_OF_REPORTS } as const
  const written = await writeStatus({ ...turn, before }, decision)
  await recordModeration({ ...turn, before, actor: null }, decision)
  return written
}

/**
 * Reports a visible comment of somebody else to the admins. A repeat changes nothing, unless the comment was edited after a
 * decision about the earlier report. The report that reaches the limit hides the comment until an admin decides.
 * @throws DomainError NOT_FOUND, INVALID for the actor's own comment
 */
export async function reportComment(deps: CommentsDeps, actor: Actor, input: ReportInput): Promise<ReportState> {
  // The answer does not say that the comment was hidden, so the actor's own socket gets the event, too.
  const reporter = { ...actor, socketId: undefined }
  const { commentId } = input
  await inStatusTurn(deps, reporter, { commentId, isUnbounded: true }, (turn) => write(turn, input))
  return { isReported: true }
}
