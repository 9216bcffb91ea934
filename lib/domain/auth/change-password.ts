import type { ObjectId } from 'mongodb'
import type { z } from 'zod'
import type { ChangePasswordBody } from '../../contract/auth.ts'
import type { Actor } from './actor.ts'
import type { AuthDeps } from './deps.ts'
import { findPasswordHash, passwordWrong } from './own-password.ts'
import { replacePassword } from './replace-password.ts'
import { issueAccessToken, readFamilyId } from './tokens.ts'

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
