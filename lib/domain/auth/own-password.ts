import type { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { AuthDeps } from './deps.ts'

/** A refusal of a wrong password of a valid session, which is no 401. */
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
