import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { HideAct, HideCommentsBody } from '../../contract/persons.ts'
import type { Actor } from '../auth/actor.ts'
import { recordStaffAction, recordUserAction } from '../staff/record-staff-action.ts'
import type { UsersDeps } from './deps.ts'

/** Begins to hide all visible comments of a user: a job carries out the entry in the staff log. @throws DomainError NOT_FOUND */
export async function hideComments(
  deps: UsersDeps,
  { user: actor }: Actor,
  { userId, since }: Partial<HideCommentsBody> & { userId: string },
): Promise<HideAct> {
  const _id = new ObjectId()
  const act = { action: 'comments-hidden', details: { since: since ?? null, count: null }, isPending: true } as const
  await recordUserAction(deps, { _id, actor, userId, ...act })
  deps.commentActs.wake()
  return { actId: _id.toHexString() }
}

/** Begins to show again what an act has hidden and nobody has decided about since. @throws DomainError NOT_FOUND */
export async function showComments(
  deps: UsersDeps,
  { user: actor }: Actor,
  { userId, actId }: HideAct & { userId: string },
): Promise<HideAct> {
  const act = { _id: new ObjectId(actId), action: 'comments-hidden', 'target.id': userId } as const
  await deps.db.transaction(async (session) => {
    const change = { $set: { 'details.isUndone': true }, $unset: { isPending: true } } as const
    const before = await deps.db.staffActions.findOneAndUpdate(act, change, { session })
    if (before === null) throw new DomainError('NOT_FOUND', MESSAGES.actNotFound)
    if (before.details?.isUndone) return
    const undoing = { action: 'comments-shown', details: { actId, count: null }, isPending: true } as const
    await recordStaffAction(deps, { actor, target: before.target, ...undoing }, { session })
  })
  deps.commentActs.wake()
  return { actId }
}
