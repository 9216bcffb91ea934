import { parse } from 'hono/utils/cookie'
import type { ObjectId } from 'mongodb'
import type { Deps } from '../deps.ts'

export interface SessionUser {
  _id: ObjectId
  userName: string
  isAdmin: boolean
}

export const ACCESS_COOKIE = 'accessSessionToken'

/**
 * Finds who a `Cookie` header signs in, for HTTP and for handshakes alike. The user and the role are read from the
 * database each time. Null: no session, a bad one, or a deleted user.
 */
export async function findSessionUser(
  { verifyToken, db }: Pick<Deps, 'verifyToken' | 'db'>,
  cookieHeader: string | undefined,
): Promise<SessionUser | null> {
  const token = cookieHeader === undefined ? undefined : parse(cookieHeader, ACCESS_COOKIE)[ACCESS_COOKIE]
  const userId = token === undefined ? null : await verifyToken(token)
  if (userId === null) return null

  const user = await db.users.findOne({ _id: userId }, { projection: { userName: 1, roles: 1 } })
  return user && { _id: user._id, userName: user.userName, isAdmin: user.roles?.includes('admin') ?? false }
}
