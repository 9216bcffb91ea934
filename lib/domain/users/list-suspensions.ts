import type { PastSuspension } from '../../contract/persons.ts'
import { OF_TARGET, type StaffActionDocument } from '../../infrastructure/db/collections/staff-actions.ts'
import type { StaffDeps } from '../staff/deps.ts'

type Deps = Pick<StaffDeps, 'db'>

/** Lists the actions of some kinds upon a user, newest first. */
export const listActions = ({ db }: Deps, userId: string, actions: StaffActionDocument['action'][], take = 0) =>
  db.staffActions
    .find({ 'target.kind': 'user', 'target.id': userId, action: { $in: actions } }, { hint: OF_TARGET })
    .sort({ at: -1, _id: -1 })
    .limit(take)
    .toArray()

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

/** Lists the suspensions of a user from the staff log, newest first, without the admins. */
export async function listSuspensions(deps: Deps, userId: string): Promise<PastSuspension[]> {
  const rows = await listActions(deps, userId, ['user-suspended', 'suspension-ended'])
  return rows.flatMap(({ at, action, details }, index) => {
    if (action === 'suspension-ended') return []
    const [until, reason] = [textOrNull(details?.until), textOrNull(details?.reason) ?? '']
    return { at: at.toISOString(), until, reason, endedAt: rows[index - 1]?.at.toISOString() ?? null }
  })
}
