import type { ObjectId } from 'mongodb'
import type { Config } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import { isAdminAt, type Suspension, suspensionAt } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'
import { readCookies } from './read-cookies.ts'
import type { AccessClaims } from './sessions/tokens.ts'
import { isAccessTokenForm } from './sessions/verify-token.ts'
import { takeSiteToken } from './site-user.ts'
import { readStoredUser, type StoredUser } from './stored-user.ts'

export interface SessionUser {
  _id: ObjectId
  userName: string
  isAdmin: boolean
  /** True while the limits of new accounts apply, never for an admin. */
  isNew?: boolean
}

/** Tokens tried of one request. A browser usually sends one, and each costs a signature. */
const TOKENS_TRIED = 8
const MINUTE_LENGTH = 'YYYY-MM-DDTHH:MM'.length

type Cookies = { config: Pick<Config, 'sessionCookie'> }
type SessionDeps = Pick<AuthDeps, 'config' | 'verifyToken' | 'verifySiteToken' | 'db' | 'sessionUsers' | 'clock'>

/** True unless a logout, a reuse or a changed password has ended the session of a verified token. */
function isSessionAlive(claims: AccessClaims, { passwordChange, endedFamilies }: StoredUser): boolean {
  const { familyId, passwordStamp, issuedAt } = claims
  if (familyId && endedFamilies?.some((ended) => ended.familyId === familyId)) return false
  if (passwordChange === undefined) return true
  if (passwordStamp !== undefined) return passwordStamp === passwordChange.stamp.toHexString()
  // A token of the older issuer has no stamp. The time in the stamp is that of the change, in whole seconds as `iat`.
  return issuedAt !== undefined && Math.floor(issuedAt) >= passwordChange.stamp.getTimestamp().getTime() / 1000
}

const readTokens = ({ config }: Cookies, cookieHeader: string | undefined) =>
  readCookies(cookieHeader, config.sessionCookie, { most: TOKENS_TRIED, isForm: isAccessTokenForm })

/** Copies the parts of a `Cookie` header that `findSessionUser` reads, because a slice would keep the whole header in memory. */
export function pickSessionCookies(deps: Cookies, cookieHeader: string | undefined): string | undefined {
  const cookies = readTokens(deps, cookieHeader).map((token) => `${deps.config.sessionCookie}=${token}`)
  return cookies.length === 0 ? undefined : Buffer.from(cookies.join('; ')).toString()
}

async function findStoredUser(deps: SessionDeps, token: string, freshness: { isFresh: boolean }) {
  if (deps.verifySiteToken !== undefined) {
    const claims = await deps.verifySiteToken(token)
    return claims && (await takeSiteToken(deps, claims, freshness))
  }
  const claims = await deps.verifyToken(token)
  const user = claims && (await readStoredUser(deps, claims.userId, freshness))
  return user && isSessionAlive(claims, user) ? user : null
}

/**
 * Finds the user of a `Cookie` header, for HTTP and for handshakes: that of the first valid token whose session has not ended.
 * Null when the session is missing or invalid, or the user was deleted. A token of the site makes its user at first sight.
 */
export async function findSessionUser(
  deps: SessionDeps,
  cookieHeader: string | undefined,
  { isFresh = false }: { isFresh?: boolean } = {},
): Promise<SessionUser | null> {
  for (const token of readTokens(deps, cookieHeader)) {
    const user = await findStoredUser(deps, token, { isFresh })
    if (user === null) continue
    const { _id, userName, createdAt } = user
    const now = deps.clock()
    const isAdmin = isAdminAt(now, user)
    // Clocks of instances differ, and an account from the future is as old as one of now.
    const ageMs = Math.max(0, now.getTime() - createdAt.getTime())
    return { _id, userName, isAdmin, isNew: !isAdmin && ageMs < deps.config.newAccountMs }
  }
  return null
}

/** Tells without the database whether a `Cookie` header has a token that is signed and in time. Its session may have ended. */
export async function hasSessionToken(
  deps: Pick<SessionDeps, 'config' | 'verifyToken' | 'verifySiteToken'>,
  cookieHeader: string | undefined,
): Promise<boolean> {
  const verify = deps.verifySiteToken ?? deps.verifyToken
  for (const token of readTokens(deps, cookieHeader)) if ((await verify(token)) !== null) return true
  return false
}

/** Refuses a change of a suspended user, and tells when the suspension ends. @throws DomainError FORBIDDEN */
export function refuseSuspension(suspension: Pick<Suspension, 'until' | 'reason'> | null): void {
  if (suspension === null) return
  const { until, reason } = suspension
  const end = until && `${until.toISOString().slice(0, MINUTE_LENGTH).replace('T', ' ')} UTC`
  throw new DomainError('FORBIDDEN', `You are suspended ${end === null ? 'for good' : `until ${end}`}: ${reason}`)
}

/** Refuses a change of a suspended user, who is usually cached. @throws DomainError FORBIDDEN */
export async function assertNotSuspended(deps: SessionDeps, { _id }: Pick<SessionUser, '_id'>): Promise<void> {
  const user = await readStoredUser(deps, _id, { isFresh: false })
  refuseSuspension(user && suspensionAt(deps.clock(), user))
}
