import type { ObjectId } from 'mongodb'
import { OF_TARGET } from '../../infrastructure/db/collections/staff-actions.ts'
import type { Actor } from '../auth/actor.ts'
import { reopenReports } from '../reports/resolve-reports.ts'
import { writeDecision } from './change-status.ts'
import type { CommentsDeps } from './deps.ts'
import { type ChangedStatus, inStatusTurn, type StatusTurn, writeStatus } from './write-status.ts'

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
