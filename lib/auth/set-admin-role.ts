import { ANY_CASE } from '../db/collections/users.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'

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
      {
        ...(isAdmin ? { $addToSet: { roles: { $each: ['user', 'admin'] } } } : { $pull: { roles: 'admin' } }),
        $currentDate: { updatedAt: true },
      },
      { collation: ANY_CASE, projection: { userName: 1, roles: 1 }, session },
    )
    if (user === null) return null
    if ((user.roles?.includes('admin') ?? false) === isAdmin) return user.userName

    const action = isAdmin ? 'admin-granted' : 'admin-revoked'
    const target = { kind: 'user' as const, id: user._id.toHexString(), name: user.userName }
    await recordStaffAction(deps, { admin: null, action, target }, { session })
    return user.userName
  })
}
