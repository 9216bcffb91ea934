import type { ObjectId } from 'mongodb'
import type { AuthDeps } from './deps.ts'
import { readCookies } from './read-cookies.ts'
import type { TokenVerifier } from './verify-token.ts'

export interface SessionUser {
  _id: ObjectId
  userName: string
  isAdmin: boolean
}

export const ACCESS_COOKIE = 'accessSessionToken'

/** A browser sends one; each more costs a signature. */
const TOKENS_TRIED = 4

async function findUserId(verifyToken: TokenVerifier, cookieHeader: string | undefined): Promise<ObjectId | null> {
  for (const token of readCookies(cookieHeader, ACCESS_COOKIE, TOKENS_TRIED)) {
    const userId = await verifyToken(token)
    if (userId !== null) return userId
  }
  return null
}

/**
 * Finds who a `Cookie` header signs in, for HTTP and for handshakes alike. The user and the role are read from the
 * database each time. Null: no session, a bad one, or a deleted user.
 */
export async function findSessionUser(
  { verifyToken, db }: Pick<AuthDeps, 'verifyToken' | 'db'>,
  cookieHeader: string | undefined,
): Promise<SessionUser | null> {
  const userId = await findUserId(verifyToken, cookieHeader)
  if (userId === null) return null

  const user = await db.users.findOne({ _id: userId }, { projection: { userName: 1, roles: 1 } })
  return user && { _id: user._id, userName: user.userName, isAdmin: user.roles?.includes('admin') ?? false }
}
