import type { ClientSession, ObjectId } from 'mongodb'
import type { CommentStatus } from '../../contract/comments.ts'
import type { ReportOutcome } from '../../contract/reports.ts'
import type { Failpoint } from '../../infrastructure/concurrency/failpoint.ts'
import { countIn } from '../../infrastructure/db/expressions.ts'
import type { Actor } from '../auth/actor.ts'
import { addToUnread, changeOf } from '../notifications/add-to-unread.ts'
import type { NotificationsDeps } from '../notifications/deps.ts'

/** Finds the users whose reports of a comment are open. */
export const findOpenReporters = (
  { db }: NotificationsDeps,
  commentId: ObjectId,
  session: ClientSession,
): Promise<ObjectId[]> => db.reports.distinct('reporterId', { commentId, outcome: null }, { session })

interface Resolution {
  actor: Actor
  commentId: ObjectId
  status: CommentStatus
  reason?: string | undefined
  /** The act on all comments of the author that brings the decision. */
  actId?: ObjectId | undefined
}

/** The fields of a report that is open. */
export const OPEN = { outcome: null, by: null, decidedAt: null, decisionReason: null }

const notificationKey = (outcome: ReportOutcome, decidedAt: Date | null) =>
  `report:${outcome}:${decidedAt?.toISOString().slice(0, 10)}`

/**
 * Gives the open reports of a comment their outcome and notifies the reporters, in the transaction of the decision. A reporter
 * gets one notification a day and outcome, which names no admin. A reporter who decides gets none.
 * @returns the number of open reports
 */
export async function resolveReports(
  deps: NotificationsDeps & { clock: () => Date; failpoint: Failpoint },
  { actor, commentId, status, reason, actId }: Resolution,
  session: ClientSession,
): Promise<number> {
  const reporterIds = await findOpenReporters(deps, commentId, session)
  if (reporterIds.length === 0) return 0
  const decidedAt = deps.clock()
  const outcome = status === 'visible' ? 'kept' : 'acted-on'
  const decision = { outcome, by: actor.user._id, decidedAt, decisionReason: reason ?? null } as const
  const change = { $set: { ...decision, ...(actId && { actId }) } }
  await deps.db.reports.updateMany({ commentId, outcome: null }, change, { session })
  await deps.failpoint('reports:resolved')
  const userIds = reporterIds.filter((id) => !id.equals(actor.user._id))
  const key = notificationKey(outcome, decidedAt)
  const fields = { type: 'report-decided', facts: { outcome }, count: { $add: [countIn('$count'), 1] } }
  await addToUnread(deps, { userIds, key, fields }, session)
  await deps.failpoint('reports:notified')
  return reporterIds.length
}

/**
 * Opens the reports again that an undone act has decided, and removes their outcome from unread notifications.
 * @returns the reporters
 */
export async function reopenReports(
  deps: NotificationsDeps & { failpoint: Failpoint },
  { commentId, actId }: { commentId: ObjectId; actId: ObjectId },
  session: ClientSession,
): Promise<ObjectId[]> {
  const { reports, notifications } = deps.db
  const decided = await reports.find({ commentId, actId }, { session }).toArray()
  if (decided.length === 0) return []
  await reports.updateMany({ commentId, actId }, { $set: OPEN, $unset: { actId: 1 } }, { session })
  const operations = decided.flatMap(({ reporterId: userId, decidedAt, by }) => {
    if (by?.equals(userId)) return []
    const filter = { userId, key: notificationKey('acted-on', decidedAt), isRead: false }
    const update = { $inc: { count: -1, rev: 1 }, $set: { changeOf: changeOf(userId) } }
    return [{ updateOne: { filter, update } }, { deleteOne: { filter: { ...filter, count: { $lt: 1 } } } }]
  })
  if (operations.length > 0) await notifications.bulkWrite(operations, { session })
  await deps.failpoint('reports:reopened')
  return decided.map(({ reporterId }) => reporterId)
}
