import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { HideAct, HideCommentsBody } from '../../contract/persons.ts'
import type { Job } from '../../infrastructure/jobs/create-job.ts'
import type { Actor } from '../auth/actor.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'

export interface ActsDeps extends StaffDeps {
  commentActs: Job
}

/**
 * Begins to hide all visible comments of a user. The act is its entry in the staff log, which a job carries out.
 * @throws DomainError NOT_FOUND
 */
export async function hideComments(
  deps: ActsDeps,
  { user: actor }: Actor,
  { userId, since }: Partial<HideCommentsBody> & { userId: string },
): Promise<HideAct> {
  const _id = new ObjectId()
  await deps.db.transaction(async (session) => {
    const options = { session, projection: { userName: 1 } }
    const user = await deps.db.users.findOne({ _id: new ObjectId(userId) }, options)
    if (user === null) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
    const target = { kind: 'user' as const, id: userId, name: user.userName }
    const act = {
      _id,
      action: 'comments-hidden',
      details: { since: since ?? null, count: null },
      isPending: true,
    } as const
    await recordStaffAction(deps, { actor, target, ...act }, { session })
  })
  deps.commentActs.wake()
  return { actId: _id.toHexString() }
}

/**
 * Begins to show again what an act has hidden and nobody has decided about since. The act ends, and a repeat changes nothing.
 * @throws DomainError NOT_FOUND
 */
export async function showComments(
  deps: ActsDeps,
  { user: actor }: Actor,
  { userId, actId }: HideAct & { userId: string },
): Promise<HideAct> {
  const act = { _id: new ObjectId(actId), action: 'comments-hidden', 'target.id': userId } as const
  await deps.db.transaction(async (session) => {
    const before = await deps.db.staffActions.findOneAndUpdate(
      act,
      { $set: { 'details.isUndone': true }, $unset: { isPending: true } },
      { session, projection: { target: 1, details: 1 } },
    )
    if (before === null) throw new DomainError('NOT_FOUND', MESSAGES.actNotFound)
    if (before.details?.isUndone) return
    const { target } = before
    const undoing = { action: 'comments-shown', details: { actId, count: null }, isPending: true } as const
    await recordStaffAction(deps, { actor, target, ...undoing }, { session })
  })
  deps.commentActs.wake()
  return { actId }
}
