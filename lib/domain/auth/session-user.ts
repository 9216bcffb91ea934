import { ObjectId } from 'mongodb'
import type { Config } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import { isAdminAt, suspensionAt } from '../../infrastructure/db/collections/users.ts'
import type { AuthDeps } from './deps.ts'
import { describeSuspension } from './describe-suspension.ts'
import { readCookies } from './read-cookies.ts'
import { SESSION_FIELDS, type StoredSessionUser } from './session-user-cache.ts'
import { takeSiteToken } from './site-user.ts'
import type { AccessClaims } from './tokens.ts'
import { isAccessTokenForm } from './verify-token.ts'

export interface SessionUser {
  _id: ObjectId
  userName: string
  isAdmin: boolean
  /** True while the limits of new accounts apply, never for an admin. */
  isNew?: boolean
}

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

type Cookies = { config: Pick<Config, 'sessionCookie'> }

const readTokens = ({ config }: Cookies, cookieHeader: string | undefined) =>
  readCookies(cookieHeader, config.sessionCookie, { most: TOKENS_TRIED, isForm: isAccessTokenForm })

/** Copies the parts of a `Cookie` header that `findSessionUser` reads, because a slice would keep the whole header in memory. */
export function pickSessionCookies(deps: Cookies, cookieHeader: string | undefined): string | undefined {
  const cookies = readTokens(deps, cookieHeader).map((token) => `${deps.config.sessionCookie}=${token}`)
  return cookies.length === 0 ? undefined : Buffer.from(cookies.join('; ')).toString()
}

type SessionDeps = { config: Pick<Config, 'sessionCookie' | 'newAccountMs'> } & Pick<
  AuthDeps,
  'verifyToken' | 'verifySiteToken' | 'db' | 'sessionUsers' | 'clock'
>

const readStored = async ({ db }: SessionDeps, id: string) => ({
  user: await db.users.findOne<StoredSessionUser>({ _id: new ObjectId(id) }, { projection: SESSION_FIELDS }),
})

interface Freshness {
  isFresh: boolean
}

/** Reads a user, who may be cached; an admin, and with `isFresh` every user, from the database. */
async function readUser(deps: SessionDeps, _id: ObjectId, { isFresh }: Freshness): Promise<StoredSessionUser | null> {
  const id = _id.toHexString()
  const cached = isFresh ? null : (await deps.sessionUsers.read(id, () => readStored(deps, id))).user
  return isFresh || (cached !== null && isAdminAt(deps.clock(), cached)) ? (await readStored(deps, id)).user : cached
}

function toSessionUser(
  { config: { newAccountMs }, clock }: SessionDeps,
  { _id, userName, createdAt, ...stored }: StoredSessionUser,
): SessionUser {
  const now = clock()
  const isAdmin = isAdminAt(now, stored)
  const isYoung = newAccountMs > 0 && now.getTime() - createdAt.getTime() < newAccountMs
  return { _id, userName, isAdmin, isNew: isYoung && !isAdmin }
}

async function findOwnUser(deps: SessionDeps, token: string, freshness: Freshness) {
  const claims = await deps.verifyToken(token)
  const user = claims && (await readUser(deps, claims.userId, freshness))
  return user && isSessionAlive(claims, user) ? user : null
}

async function findSiteUser(deps: SessionDeps, token: string, { isFresh }: Freshness) {
  const claims = await deps.verifySiteToken?.(token)
  return claims
    ? await takeSiteToken(deps, claims, (freshness) => readUser(deps, claims.userId, freshness), { isFresh })
    : null
}

/**
 * Finds the user of a `Cookie` header, for HTTP and for handshakes: that of the first valid token whose session has not ended.
 * Null when the session is missing or invalid, or the user was deleted. A token of the site makes its user at first sight.
 */
export async function findSessionUser(
  deps: SessionDeps,
  cookieHeader: string | undefined,
  { isFresh = false }: Partial<Freshness> = {},
): Promise<SessionUser | null> {
  const findUser = deps.verifySiteToken === undefined ? findOwnUser : findSiteUser
  for (const token of readTokens(deps, cookieHeader)) {
    const user = await findUser(deps, token, { isFresh })
    if (user !== null) return toSessionUser(deps, user)
  }
  return null
}

/** Refuses a change of a suspended user, who is usually cached. @throws DomainError FORBIDDEN */
export async function assertNotSuspended(deps: SessionDeps, { _id }: Pick<SessionUser, '_id'>): Promise<void> {
  const user = await readUser(deps, _id, { isFresh: false })
  const suspension = user && suspensionAt(deps.clock(), user)
  if (suspension) throw new DomainError('FORBIDDEN', describeSuspension(suspension))
}
