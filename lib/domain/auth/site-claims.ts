import { decode } from 'hono/jwt'
import { ObjectId } from 'mongodb'
import { z } from 'zod'
import type { SiteConfig } from '../../base/config.ts'
import type { ClaimValue } from '../../base/site-settings.ts'
import { hashedId } from '../../base/system/hashed-id.ts'
import { isObjectId, SITE_USER_ID_MAX } from '../../contract/index.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import { createKeySet } from '../../infrastructure/sources/key-set.ts'
import { createSecretKey, createVerifier, type FindKey } from './sessions/verify-token.ts'

/** The id of a user of the site: an object id is stored as it is, any other has an id that follows from it. */
export interface SiteUserId {
  userId: ObjectId
  externalId: string | undefined
}

/** The user of the site that a verified token names. */
export type SiteClaims = ReturnType<typeof readClaims>

export type SiteTokenVerifier = (token: string) => Promise<SiteClaims | null>

const TEXT_MAX = 2_000
/** Clocks of two machines differ. */
const AHEAD_SECONDS = 60

const Header = z.object({ kid: z.string() })
const seconds = z.number().nonnegative()
const Times = z.object({ exp: seconds, nbf: seconds.default(0), iat: seconds.optional() })
// Half a surrogate pair would be stored as another character, so that two ids became one.
const Id = z.union([
  z
    .string()
    .min(1)
    .max(SITE_USER_ID_MAX)
    .refine((text) => !/\p{Surrogate}/u.test(text)),
  z.int().transform(String),
])

export function toSiteUserId(id: string): SiteUserId {
  if (isObjectId(id)) return { userId: new ObjectId(id), externalId: undefined }
  return { userId: new ObjectId(hashedId(`user of the site ${id}`)), externalId: id }
}

const readText = (value: unknown) => (typeof value === 'string' && value.length <= TEXT_MAX ? value : null)

const readLink = (value: unknown) => (/^https?:\/\/[^\s"'<>]+$/.test(readText(value) ?? '') ? readText(value) : null)

/** Reads a time in Unix seconds or in ISO form. One of the future is none. */
function readPast(value: unknown, now: number): Date | undefined {
  const time = new Date(typeof value === 'number' ? value * 1_000 : (readText(value) ?? Number.NaN))
  return time.getTime() <= now * 1_000 ? time : undefined
}

const isValue = (claim: unknown, { value }: ClaimValue) => claim === value || (claim === true && value === 'true')

/** Reads the claims of a signed token. @throws Error for a token that is no session */
function readClaims(payload: Record<string, unknown>, { claims, required }: SiteConfig, now: number) {
  const { exp, nbf, iat } = Times.parse(payload)
  if (iat !== undefined && iat > now + AHEAD_SECONDS) throw new Error('the token is of the future')
  if (required && !isValue(payload[required.claim], required)) throw new Error('the token is no session')
  const { admin } = claims
  /** Undefined for a claim that is not mapped, null where the token has none. */
  const readMapped = (claim: string | undefined, read: (value: unknown) => string | null) =>
    claim === undefined ? undefined : read(payload[claim])
  return {
    ...toSiteUserId(Id.parse(payload[claims.id])),
    expiresAt: exp,
    notBefore: nbf,
    issuedAt: iat,
    userName: readMapped(claims.userName, readText) ?? undefined,
    email: readMapped(claims.email, readText),
    avatar: readMapped(claims.avatar, readLink),
    createdAt: claims.createdAt === undefined ? undefined : readPast(payload[claims.createdAt], now),
    isAdmin: admin && [payload[admin.claim]].flat().some((role) => isValue(role, admin)),
  }
}

/** Finds keys by the id in the header of a token, of which nothing else is used. */
function createKeyFinder(options: Parameters<typeof createKeySet>[0]): FindKey {
  const keys = createKeySet(options)
  return async (token) => {
    let kid: string
    try {
      const { header }: { header: unknown } = decode(token)
      kid = Header.parse(header).kid
    } catch {
      return null
    }
    return await keys.find(kid)
  }
}

/** Creates the verifier of the site's session tokens: by its key set, or by the shared secret. */
export function createSiteVerifier(
  { jwtSecret, log, clock }: { jwtSecret: string; log: Logger; clock: () => Date },
  site: SiteConfig,
): SiteTokenVerifier {
  const { jwksUrl, issuer, audience } = site
  return createVerifier({
    findKey: jwksUrl === undefined ? createSecretKey(jwtSecret) : createKeyFinder({ url: jwksUrl, log, clock }),
    issuer,
    audience,
    read: (payload) => readClaims(payload, site, clock().getTime() / 1000),
    clock,
  })
}
