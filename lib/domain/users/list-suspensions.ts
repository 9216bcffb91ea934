import type { ObjectId } from 'mongodb'
import type { PastSuspension } from '../../contract/persons.ts'
import { OF_TARGET } from '../../infrastructure/db/collections/staff-actions.ts'
import type { StaffDeps } from '../staff/deps.ts'

const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null)

/** Lists the suspensions of a user from the staff log, newest first, without the admins. */
export async function listSuspensions({ db }: Pick<StaffDeps, 'db'>, userId: ObjectId): Promise<PastSuspension[]> {
  const target = { 'target.kind': 'user', 'target.id': userId.toHexString() } as const
  const rows = await db.staffActions
    .find({ ...target, action: { $in: ['user-suspended', 'suspension-ended'] } }, { hint: OF_TARGET })
    .sort({ at: -1, _id: -1 })
    .toArray()
  return rows.flatMap(({ at, action, details }, index) => {
    if (action === 'suspension-ended') return []
    const [until, reason] = [textOrNull(details?.until), textOrNull(details?.reason) ?? '']
    return { at: at.toISOString(), until, reason, endedAt: rows[index - 1]?.at.toISOString() ?? null }
  })
}
