import type { ClientSession, ObjectId } from 'mongodb'
import type { CommentStatus } from '../../contract/comments.ts'
import type { Failpoint } from '../../infrastructure/concurrency/failpoint.ts'
import { countIn } from '../../infrastructure/db/expressions.ts'
import type { Actor } from '../auth/actor.ts'
import { addToUnreadOfMany } from '../notifications/add-to-unread.ts'
import type { NotificationsDeps } from '../notifications/deps.ts'

/** Finds the users whose reports of a comment are open. */
export const findOpenReporters = (
  { db }: NotificationsDeps,
  commentId: ObjectId,
  session: ClientSession,
): Promise<ObjectId[]> => db.reports.distinct('reporterId', { commentId, outcome: null }, { session })

interface Resolution {
  actor: Actor
  reporterIds: readonly ObjectId[]
  commentId: ObjectId
  status: CommentStatus
  reason: string | null
}

/**
 * Gives the open reports of a comment their outcome and notifies the reporters, in the transaction of the decision. The
 * notifications of a day are one by outcome. Nobody is named, and nobody is notified of an own decision.
 */
export async function resolveReports(
  deps: NotificationsDeps & { clock: () => Date; failpoint: Failpoint },
  { actor, reporterIds, commentId, status, reason }: Resolution,
  session: ClientSession,
): Promise<void> {
  if (reporterIds.length === 0) return
  const decidedAt = deps.clock()
  const outcome = status === 'visible' ? 'kept' : 'acted-on'
  const decision = { outcome, by: actor.user._id, decidedAt, decisionReason: reason } as const
  await deps.db.reports.updateMany({ commentId, outcome: null }, { $set: decision }, { session })
  await deps.failpoint('reports:resolved')
  const userIds = reporterIds.filter((id) => !id.equals(actor.user._id))
  const key = `report:${outcome}:${decidedAt.toISOString().slice(0, 10)}`
  const fields = { type: 'report-decided', facts: { outcome }, count: { $add: [countIn('$count'), 1] } }
  await addToUnreadOfMany(deps, { userIds, key, fields }, session)
  await deps.failpoint('reports:notified')
}
