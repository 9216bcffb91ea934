import { createHash, randomBytes } from 'node:crypto'
import type { Filter } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { ANY_CASE, isAdminBy, type UserDocument } from '../../infrastructure/db/collections/users.ts'
import type { StaffDeps } from '../staff/deps.ts'
import { recordStaffAction, userTarget } from '../staff/record-staff-action.ts'
import type { AuthDeps } from './deps.ts'
import { replacePassword } from './replace-password.ts'
import type { SessionUser } from './session-user.ts'

export const LINK_MS = 24 * 60 * 60 * 1_000

/** Creates the token of a one-time link; only the hash is stored. */
export const createLinkToken = () => randomBytes(32).toString('base64url')

/** A random token needs no slow hash. */
export const hashLinkToken = (token: string) => createHash('sha256').update(token).digest('base64url')

interface MakeResetLinkInput {
  /** Null for a command of the deployer. */
  actor: SessionUser | null
  filter: Filter<UserDocument>
  publicUrl: string
}

/**
 * Makes a one-time link with which a user who is no admin sets a new password, and records the action. An earlier link of
 * the user becomes void.
 * @throws DomainError NOT_FOUND, also for a user of the site, FORBIDDEN for an admin
 */
export async function makeResetLink(deps: StaffDeps, { actor, filter, publicUrl }: MakeResetLinkInput) {
  const token = createLinkToken()
  const resetLink = { tokenHash: hashLinkToken(token), expiresAt: { $add: ['$$NOW', LINK_MS] } }
  // Users of the site have no address here: their password is the site's.
  const withPassword = { ...filter, email: { $exists: true } }
  return await deps.db.transaction(async (session) => {
    const user = await deps.db.users.findOneAndUpdate(withPassword, [{ $set: { resetLink } }], {
      session,
      collation: ANY_CASE,
      returnDocument: 'after',
      projection: { userName: 1, roles: 1, resetLink: 1 },
    })
    if (user?.resetLink === undefined) throw new DomainError('NOT_FOUND', MESSAGES.userNotFound)
    if (isAdminBy(user.roles)) throw new DomainError('FORBIDDEN', MESSAGES.noLinkForAdmins)
    await recordStaffAction(deps, { actor, action: 'reset-link-made', target: userTarget(user) }, { session })
    return { url: `${publicUrl}/console#/reset/${token}`, expiresAt: user.resetLink.expiresAt.toISOString() }
  })
}

/**
 * Sets a new password by a one-time link and ends every session of the user.
 * @throws DomainError NOT_FOUND for a link that was used, is void or has expired, RATE_LIMITED, UNAVAILABLE
 */
export async function resetByLink(
  deps: AuthDeps,
  { token, password, address }: { token: string; password: string; address: string },
): Promise<{ userId: string }> {
  const filter = {
    'resetLink.tokenHash': hashLinkToken(token),
    roles: { $ne: 'admin' as const },
    $expr: { $gt: ['$resetLink.expiresAt', '$$NOW'] },
  }
  const gone = () => new DomainError('NOT_FOUND', MESSAGES.linkGone)
  const find = () => deps.db.users.findOne(filter, { projection: { _id: 1 } })
  const user = await deps.authLimits.tryLink({ address }, find)
  if (user === null) throw gone()
  const { _id } = user
  const userId = _id.toHexString()
  const passwordHash = await deps.passwords.hash({ account: userId, address }, password)
  const stamp = await replacePassword(deps.db, { filter: { _id, ...filter }, passwordHash, keptFamilyId: null })
  deps.sessionUsers.drop(userId)
  if (stamp === null) throw gone()
  return { userId }
}
