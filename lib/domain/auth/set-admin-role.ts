import { ANY_CASE, GRANTED_ROLES, isAdminAt, REVOKED_ROLES } from '../../infrastructure/db/collections/users.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction, userTarget } from '../staff/record-staff-action.ts'

/** The lease that holds the hash of the only valid token for the first admin, over all instances. */
export const FIRST_ADMIN = 'first-admin'

/** Grants or revokes the admin role, and records the deployer's action. Returns the stored name, null for an unknown user. */
export async function setAdminRole(deps: StaffDeps, { userName, isAdmin }: { userName: string; isAdmin: boolean }) {
  return await deps.db.transaction(async (session) => {
    const user = await deps.db.users.findOneAndUpdate(
      { userName },
      [{ $set: { roles: isAdmin ? GRANTED_ROLES : REVOKED_ROLES, updatedAt: '$$NOW' } }, { $unset: 'site.roleUntil' }],
      { collation: ANY_CASE, projection: { userName: 1, roles: 1, site: 1 }, session },
    )
    if (user === null) return null
    if (isAdminAt(deps.clock(), user) === isAdmin) return user.userName

    // A first admin at the same time conflicts with it.
    if (isAdmin) await deps.db.leases.deleteOne({ _id: FIRST_ADMIN }, { session })
    const action = isAdmin ? 'admin-granted' : 'admin-revoked'
    await recordStaffAction(deps, { actor: null, action, target: userTarget(user) }, { session })
    return user.userName
  })
}
