import type { ObjectId } from 'mongodb'
import type { z } from 'zod'
import { DomainError } from '../../base/errors.ts'
import type { ChangePasswordBody } from '../../contract/auth.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Actor } from './actor.ts'
import type { AuthDeps } from './deps.ts'
import { replacePassword } from './replace-password.ts'
import { issueAccessToken, readFamilyId } from './sessions/tokens.ts'

/** Refuses a wrong password of a signed-in user. The session is valid, so the status is not 401. */
export const passwordWrong = (path: string) =>
  new DomainError('INVALID', MESSAGES.currentPasswordWrong, {
    issues: [{ path, message: MESSAGES.currentPasswordWrong }],
  })

/**
 * Checks the password of a signed-in user, from the field `path` of the body. Returns its hash, for the filter of the change.
 * @throws DomainError INVALID, RATE_LIMITED, UNAUTHORIZED when the user was deleted meanwhile
 */
export async function findPasswordHash(
  { db, passwords, authLimits }: AuthDeps,
  userId: ObjectId,
  { path, password, address }: { path: string; password: string; address: string },
): Promise<string> {
  const account = userId.toHexString()
  const found = await authLimits.tryPassword({ userId: account }, async () => {
    const user = await db.users.findOne({ _id: userId }, { projection: { passwordHash: 1 } })
    if (user === null) throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
    const { passwordHash = null } = user
    return (await passwords.isRight({ account, address }, passwordHash ?? undefined, password)) ? passwordHash : null
  })
  if (found === null) throw passwordWrong(path)
  return found
}

/** Finds the family of the actor's session; null when no token sent belongs to one. */
async function findOwnFamily({ db }: AuthDeps, userId: ObjectId, refreshTokens: readonly string[]) {
  const sent = refreshTokens.flatMap((token) => readFamilyId(token) ?? [])
  const filter = { userId, familyId: { $in: sent } }
  return (await db.refreshTokens.findOne(filter, { projection: { familyId: 1 } }))?.familyId ?? null
}

interface ChangePasswordInput extends z.output<typeof ChangePasswordBody> {
  address: string
  /** Tokens of the actor's session, which stays and gets the new access token. */
  refreshTokens: readonly string[]
}

/**
 * Replaces the password of the actor and ends every other session, and every access token so far. A wrong current password
 * is INVALID, because the actor's session is valid.
 * @throws DomainError INVALID, RATE_LIMITED, UNAUTHORIZED when the user was deleted meanwhile
 */
export async function changePassword(deps: AuthDeps, { user: { _id: userId } }: Actor, input: ChangePasswordInput) {
  const { newPassword, address, refreshTokens } = input
  const proof = { path: 'currentPassword', password: input.currentPassword, address }
  const currentHash = await findPasswordHash(deps, userId, proof)
  const passwordHash = await deps.passwords.hash({ account: userId.toHexString(), address }, newPassword)
  const keptFamilyId = await findOwnFamily(deps, userId, refreshTokens)
  const filter = { _id: userId, passwordHash: currentHash }
  const passwordStamp = await replacePassword(deps.db, { filter, passwordHash, keptFamilyId })
  deps.sessionUsers.drop(userId.toHexString())
  if (passwordStamp === null) throw passwordWrong('currentPassword')

  const accessToken = await issueAccessToken(deps, { userId, familyId: keptFamilyId, passwordStamp })
  return { userId: userId.toHexString(), accessToken }
}
