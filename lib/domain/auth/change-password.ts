import type { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { AuthDeps } from './deps.ts'
import { replacePassword } from './replace-password.ts'
import { hashRefreshToken, issueAccessToken, readFamilyId } from './tokens.ts'

const currentPasswordWrong = () =>
  new DomainError('INVALID', MESSAGES.currentPasswordWrong, {
    issues: [{ path: 'currentPassword', message: MESSAGES.currentPasswordWrong }],
  })

async function findOwnFamily(
  { db }: AuthDeps,
  userId: ObjectId,
  refreshTokens: readonly string[],
): Promise<string | null> {
  const sent = refreshTokens.map((token) => ({ familyId: readFamilyId(token), tokenHash: hashRefreshToken(token) }))
  const known = sent.flatMap(({ familyId, tokenHash }) =>
    familyId === undefined ? [] : [{ familyId, $or: [{ tokenHash }, { 'rotated.tokenHash': tokenHash }] }],
  )
  if (known.length === 0) return null
  const family = await db.refreshTokens.findOne({ userId, $or: known }, { projection: { familyId: 1 } })
  return family?.familyId ?? null
}

/** Null when the password is not the user's. @throws UNAUTHORIZED when there is no such user */
async function findUserWithPassword(
  { db, passwords }: AuthDeps,
  { userId, currentPassword, address }: Pick<ChangePasswordInput, 'userId' | 'currentPassword' | 'address'>,
) {
  const user = await db.users.findOne({ _id: userId }, { projection: { passwordHash: 1 } })
  if (user === null) throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
  const asker = { account: userId.toHexString(), address }
  return (await passwords.isRight(asker, user.passwordHash, currentPassword)) ? user : null
}

interface ChangePasswordInput {
  userId: ObjectId
  currentPassword: string
  newPassword: string
  address: string
  /** The asking session's own, which goes on with the new access token. */
  refreshTokens: readonly string[]
}

/**
 * Replaces a user's own password and ends every other session of the user, and every access token so far. A wrong
 * current password is INVALID, since the session that asks is a good one.
 * @throws DomainError INVALID, RATE_LIMITED, UNAUTHORIZED when the user has been deleted meanwhile
 */
export async function changePassword(
  deps: AuthDeps,
  { userId, currentPassword, newPassword, address, refreshTokens }: ChangePasswordInput,
): Promise<{ userId: string; accessToken: string }> {
  const user = await deps.authLimits.tryPassword({ userId: userId.toHexString() }, () =>
    findUserWithPassword(deps, { userId, currentPassword, address }),
  )
  if (user === null) throw currentPasswordWrong()

  const passwordHash = await deps.passwords.hash({ account: userId.toHexString(), address }, newPassword)
  const keptFamilyId = await findOwnFamily(deps, userId, refreshTokens)
  const filter = { _id: userId, passwordHash: user.passwordHash }
  const passwordStamp = await replacePassword(deps.db, { filter, passwordHash, keptFamilyId })
  deps.sessionUsers.drop(userId.toHexString())
  if (passwordStamp === null) throw currentPasswordWrong()

  const accessToken = await issueAccessToken(deps, { userId, familyId: keptFamilyId, passwordStamp })
  return { userId: userId.toHexString(), accessToken }
}
