import { verify } from 'hono/jwt'
import { LRUCache } from 'lru-cache'
import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { isObjectId } from '../values/object-id.ts'

/** What a verified token says: whose it is and from when to when (Unix seconds). Never the user itself. */
interface Claims {
  userId: ObjectId
  expiresAt: number
  notBefore: number
}

export type TokenVerifier = (token: string) => Promise<ObjectId | null>

const CACHED_TOKENS = 10_000
const LONGEST_TOKEN = 4_096

const userId = z.string().refine(isObjectId)
const Payload = z.union([
  z.object({ sub: userId, exp: z.number().optional(), nbf: z.number().optional() }),
  z.object({ id: userId, exp: z.number().optional(), nbf: z.number().optional() }),
])

async function readClaims(token: string, secret: string): Promise<Claims | null> {
  try {
    const payload = Payload.parse(await verify(token, secret, { alg: 'HS256', exp: false, nbf: false, iat: false }))

    return {
      userId: new ObjectId('sub' in payload ? payload.sub : payload.id),
      expiresAt: payload.exp ?? Number.POSITIVE_INFINITY,
      notBefore: payload.nbf ?? 0,
    }
  } catch {
    return null
  }
}

/**
 * Makes the one verifier of access tokens, for HTTP and for handshakes: HS256 only; the user id from `sub`, or from `id`
 * as older tokens carry it; `exp` and `nbf` where present. Claims of a token seen before are remembered, since the
 * signature costs more than the rest of a request. Null: no valid token.
 */
export function createTokenVerifier(secret: string, clock: () => Date): TokenVerifier {
  const seen = new LRUCache<string, Claims>({ max: CACHED_TOKENS })

  return async function verifyToken(token) {
    if (token.length > LONGEST_TOKEN) return null
    const known = seen.get(token)
    const claims = known ?? (await readClaims(token, secret))
    if (claims === null) return null
    if (known === undefined) seen.set(token, claims)

    const now = clock().getTime() / 1000
    return claims.notBefore <= now && now < claims.expiresAt ? claims.userId : null
  }
}
