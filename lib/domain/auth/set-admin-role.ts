import { ANY_CASE, isAdminBy } from '../../infrastructure/db/collections/users.ts'
import { listIn } from '../../infrastructure/db/expressions.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'

const others = { $filter: { input: listIn('$roles'), cond: { $not: [{ $in: ['$$this', ['user', 'admin']] }] } } }
const given = { $concatArrays: [['user', 'admin'], others] }
const taken = { $filter: { input: listIn('$roles'), cond: { $ne: ['$$this', 'admin'] } } }

/**
 * Gives a user the admin role, or takes it, and records it as the deployer's action. Answers the name as it is stored,
 * null when there is no such user.
 */
export async function setAdminRole(
  deps: StaffDeps,
  { userName, isAdmin }: { userName: string; isAdmin: boolean },
): Promise<string | null> {
  return await deps.db.transaction(async (session) => {
    const user = await deps.db.users.findOneAndUpdate(
      { userName },
      [{ $set: { roles: isAdmin ? given : taken, updatedAt: '$$NOW' } }],
      { collation: ANY_CASE, projection: { userName: 1, roles: 1 }, session },
    )
    if (user === null) return null
    if (isAdminBy(user.roles) === isAdmin) return user.userName

    const action = isAdmin ? 'admin-granted' : 'admin-revoked'
    const target = { kind: 'user' as const, id: user._id.toHexString(), name: user.userName }
    await recordStaffAction(deps, { admin: null, action, target }, { session })
    return user.userName
  })
}
