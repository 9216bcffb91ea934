import type { webcrypto } from 'node:crypto'
import { verify } from 'hono/jwt'
import { createBoundedCache } from '#lib/base/values/bounded-cache'
import { once } from '#lib/infrastructure/concurrency/once'

/** The times of a token, in Unix seconds. */
export interface TokenTimes {
  expiresAt: number
  notBefore: number
}

/** A key with its algorithm, which a token never chooses. */
interface TokenKey {
  key: webcrypto.CryptoKey | webcrypto.JsonWebKey
  alg: 'HS256' | 'RS256' | 'ES256' | 'EdDSA'
}

/** Finds the key that a token must be signed with; null when there is none for it. */
export type FindKey = (token: string) => Promise<TokenKey | null>

interface VerifierOptions<Claims> {
  findKey: FindKey
  issuer?: string | undefined
  /** The audience that a token must name, alone or in a list. */
  audience?: string | undefined
  /** Reads the claims of a signed token. Throws for a token that is no session. */
  read(payload: Record<string, unknown>): Claims
  clock: () => Date
}

const CACHED_TOKENS = 10_000
const TOKEN_MAX = 4_096
const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/

export const isAccessTokenForm = (token: string) => token.length <= TOKEN_MAX && TOKEN.test(token)

/** Makes the key of a secret. A text would be read as a public key where it contains the word. */
export function createSecretKey(secret: string): FindKey {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return once(async () => {
    const key = await crypto.subtle.importKey('raw', Buffer.from(secret), algorithm, false, ['verify'])
    return { key, alg: 'HS256' } satisfies TokenKey
  })
}

/** Creates a verifier that caches claims with the key that verified them: a signature costs more than the rest of a request. */
export function createVerifier<Claims extends TokenTimes>(options: VerifierOptions<Claims>) {
  const { findKey, issuer, audience, read, clock } = options
  const cache = createBoundedCache<{ claims: Claims; key: TokenKey }>({ entries: CACHED_TOKENS })
  const expected = { ...(issuer !== undefined && { iss: issuer }), ...(audience !== undefined && { aud: audience }) }

  async function readClaims(token: string, { key, alg }: TokenKey): Promise<Claims | null> {
    try {
      // The times are checked by this service's clock, at each use.
      return read(await verify(token, key, { alg, ...expected, exp: false, nbf: false, iat: false }))
    } catch {
      return null
    }
  }

  return async function verifyToken(token: string): Promise<Claims | null> {
    if (!isAccessTokenForm(token)) return null
    const key = await findKey(token)
    if (key === null) return null
    const cached = cache.get(token)
    const claims = cached?.key === key ? cached.claims : await readClaims(token, key)
    if (claims === null) return null
    if (cached?.claims !== claims) cache.set(token, { claims, key })

    const now = clock().getTime() / 1000
    return claims.notBefore <= now && now < claims.expiresAt ? claims : null
  }
}
