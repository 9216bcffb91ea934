import { ObjectId } from 'mongodb'
import { isAdminBy } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'
import { readCookies } from './read-cookies.ts'
import { SESSION_FIELDS, type StoredSessionUser } from './session-user-cache.ts'
import { type AccessClaims, isAccessTokenForm } from './tokens.ts'

export interface SessionUser {
  _id: ObjectId
  userName: string
  isAdmin: boolean
}

export const ACCESS_COOKIE = 'accessSessionToken'

/** Tokens tried of one request. A browser usually sends one, and each costs a signature. */
const TOKENS_TRIED = 8

/** True unless a logout, a reuse or a changed password has ended the session of a verified token. */
function isSessionAlive(claims: AccessClaims, { passwordChange, endedFamilies }: StoredSessionUser): boolean {
  const { familyId, passwordStamp, issuedAt } = claims
  if (familyId && endedFamilies?.some((ended) => ended.familyId === familyId)) return false
  if (passwordChange === undefined) return true
  if (passwordStamp !== undefined) return passwordStamp === passwordChange.stamp.toHexString()
  // A token of the older issuer has no stamp. The time in the stamp is that of the change, in whole seconds as `iat`.
  return issuedAt !== undefined && Math.floor(issuedAt) >= passwordChange.stamp.getTimestamp().getTime() / 1000
}

const readTokens = (cookieHeader: string | undefined) =>
  readCookies(cookieHeader, ACCESS_COOKIE, { most: TOKENS_TRIED, isForm: isAccessTokenForm })

/** Copies the parts of a `Cookie` header that `findSessionUser` reads, because a slice would keep the whole header in memory. */
export function pickSessionCookies(cookieHeader: string | undefined): string | undefined {
  const cookies = readTokens(cookieHeader).map((token) => `${ACCESS_COOKIE}=${token}`)
  return cookies.length === 0 ? undefined : Buffer.from(cookies.join('; ')).toString()
}

const readUser = async ({ db }: Pick<AuthDeps, 'db'>, id: string) => ({
  user: await db.users.findOne<StoredSessionUser>({ _id: new ObjectId(id) }, { projection: SESSION_FIELDS }),
})

const isAdmin = (user: StoredSessionUser | null) => isAdminBy(user?.roles)

/**
 * Finds the user of a `Cookie` header, for HTTP and for handshakes: that of the first valid token whose session has not ended.
 * The user may be cached; an admin, and with `isFresh` every user, is read from the database. Null when the session is
 * missing or invalid, or the user was deleted.
 */
export async function findSessionUser(
  deps: Pick<AuthDeps, 'verifyToken' | 'db' | 'sessionUsers'>,
  cookieHeader: string | undefined,
  { isFresh = false }: { isFresh?: boolean } = {},
): Promise<SessionUser | null> {
  for (const token of readTokens(cookieHeader)) {
    const claims = await deps.verifyToken(token)
    if (claims === null) continue
    const id = claims.userId.toHexString()
    const cached = isFresh ? null : (await deps.sessionUsers.read(id, () => readUser(deps, id))).user
    const user = isFresh || isAdmin(cached) ? (await readUser(deps, id)).user : cached
    if (user === null || !isSessionAlive(claims, user)) continue
    return { _id: user._id, userName: user.userName, isAdmin: isAdmin(user) }
  }
  return null
}
