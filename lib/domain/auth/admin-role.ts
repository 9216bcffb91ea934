import type { ClientSession } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import {
  ANY_CASE,
  adminsAt,
  GRANTED_ROLES,
  isAdminAt,
  REVOKED_ROLES,
} from '../../infrastructure/db/collections/users.ts'
import type { Database } from '../../infrastructure/db/connect.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction, userTarget } from '../staff/record-staff-action.ts'
import type { Actor } from './actor.ts'
import type { AuthDeps } from './deps.ts'
import { createLinkToken, hashLinkToken, LINK_MS } from './reset-link.ts'

/** The lease that holds the hash of the only valid token for the first admin, over all instances. */
const FIRST_ADMIN = 'first-admin'

const hasAdmin = async ({ users }: Pick<Database, 'users'>, session?: ClientSession) =>
  (await users.findOne(adminsAt(new Date()), { projection: { _id: 1 }, ...(session && { session }) })) !== null

/** Makes the token with which a signed-in user becomes the first admin; an earlier one becomes void. Null while there is an admin. */
export async function offerFirstAdmin(db: Pick<Database, 'users' | 'leases'>): Promise<string | null> {
  if (await hasAdmin(db)) return null
  const token = createLinkToken()
  const lease = { holder: hashLinkToken(token), until: { $add: ['$$NOW', LINK_MS] } }
  await db.leases.updateOne({ _id: FIRST_ADMIN }, [{ $set: lease }], { upsert: true })
  return token
}

/**
 * Makes the actor the first admin, by the token of a start.
 * @throws DomainError NOT_FOUND for a token that was used, is void or has expired, CONFLICT while there is an admin,
 * RATE_LIMITED, UNAUTHORIZED when the actor's account was deleted meanwhile
 */
export async function becomeFirstAdmin(
  deps: AuthDeps & StaffDeps,
  { user: { _id, userName } }: Actor,
  { token, address }: { token: string; address: string },
): Promise<{ userId: string }> {
  const { leases, users } = deps.db
  const userId = _id.toHexString()
  const offered = { _id: FIRST_ADMIN, holder: hashLinkToken(token), $expr: { $gt: ['$until', '$$NOW'] } }
  const use = () =>
    deps.db.transaction(async (session) => {
      const { deletedCount } = await leases.deleteOne(offered, { session })
      if (deletedCount === 0) return null
      if (await hasAdmin(deps.db, session)) throw new DomainError('CONFLICT', MESSAGES.adminExists)
      const roles = [{ $set: { roles: GRANTED_ROLES, updatedAt: '$$NOW' } }, { $unset: 'site.roleUntil' }]
      const { matchedCount } = await users.updateOne({ _id }, roles, { session })
      if (matchedCount === 0) throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
      const target = userTarget({ _id, userName })
      await recordStaffAction(deps, { actor: null, action: 'admin-granted', target }, { session })
      return { userId }
    })
  const used = await deps.authLimits.tryLink({ address }, use)
  deps.sessionUsers.drop(userId)
  if (used === null) throw new DomainError('NOT_FOUND', MESSAGES.linkGone)
  return used
}

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

    // A use of the first admin's token at the same time conflicts with the deletion.
    if (isAdmin) await deps.db.leases.deleteOne({ _id: FIRST_ADMIN }, { session })
    const action = isAdmin ? 'admin-granted' : 'admin-revoked'
    await recordStaffAction(deps, { actor: null, action, target: userTarget(user) }, { session })
    return user.userName
  })
}
