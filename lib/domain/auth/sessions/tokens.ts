import { createHash, randomBytes } from 'node:crypto'
import { sign } from 'hono/jwt'
import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { createBoundedCache } from '#lib/base/values/bounded-cache'
import { isObjectId } from '#lib/contract/object-id'
import { createSecretKey, createVerifier } from './verify-token.ts'

export const ACCESS_TOKEN_SECONDS = 15 * 60
/** The longest lifetime of a cookie in browsers. */
export const KNOWN_DEVICE_SECONDS = 400 * 24 * 60 * 60
export const REFRESH_TOKEN_SECONDS = 30 * 24 * 60 * 60

export type AccessClaims = ReturnType<typeof readClaims>

export type TokenVerifier = (token: string) => Promise<AccessClaims | null>

const REFRESH_TOKEN = /^(?<familyId>[\w-]{22})\.[\w-]{43}$/

const userId = z.string().refine(isObjectId)
const shared = {
  exp: z.number().optional(),
  nbf: z.number().optional(),
  // Another issuer may put anything here.
  iat: z.number().optional().catch(undefined),
  fam: z.string().nullish().catch(undefined),
  pwd: z.string().nullish().catch(undefined),
}
const Payload = z.union([z.object({ sub: userId, ...shared }), z.object({ id: userId, ...shared })])

export function issueAccessToken(
  { jwtSecret, clock }: { jwtSecret: string; clock: () => Date },
  { userId, familyId, passwordStamp }: { userId: ObjectId; familyId: string | null; passwordStamp: ObjectId | null },
): Promise<string> {
  const now = Math.floor(clock().getTime() / 1000)
  const pwd = passwordStamp?.toHexString() ?? null
  const claims = { sub: userId.toHexString(), iat: now, exp: now + ACCESS_TOKEN_SECONDS, fam: familyId, pwd }
  return sign(claims, jwtSecret, 'HS256')
}

function readClaims(claims: unknown) {
  const payload = Payload.parse(claims)
  return {
    userId: new ObjectId('sub' in payload ? payload.sub : payload.id),
    expiresAt: payload.exp ?? Number.POSITIVE_INFINITY,
    notBefore: payload.nbf ?? 0,
    issuedAt: payload.iat,
    /** Undefined for tokens of the older issuer, which has no families; null for a session without a family. */
    familyId: payload.fam,
    /** The user's `passwordChange.stamp` at the issue, null before any change, undefined as in `familyId`. */
    passwordStamp: payload.pwd,
  }
}

/** Creates the verifier of own access tokens. Older ones have the user's id in `id`. */
export const createTokenVerifier = (secret: string, clock: () => Date): TokenVerifier =>
  createVerifier({ findKey: createSecretKey(secret), read: readClaims, clock })

export const createFamilyId = () => randomBytes(16).toString('base64url')

/** Creates a refresh token. It contains the id of its family, so that a token rotated long ago is still recognised. */
export const createRefreshToken = (familyId: string) => `${familyId}.${randomBytes(32).toString('base64url')}`

/** Reads the family id of a refresh token; undefined for a text of another form. */
export const readFamilyId = (token: string) => REFRESH_TOKEN.exec(token)?.groups?.familyId

export const hashRefreshToken = (token: string) => createHash('sha256').update(token).digest('base64url')

/**
 * Hashes of tokens that may have replaced a token but reached no browser, because the database's answer was lost or late.
 * They are found by the hash of the replaced token. Without them an outage would turn the browser's token into a reused one.
 */
export const createUnansweredRotations = () => createBoundedCache<readonly string[]>({ entries: 10_000 })
export type UnansweredRotations = ReturnType<typeof createUnansweredRotations>
