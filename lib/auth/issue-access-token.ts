import { sign } from 'hono/jwt'
import type { ObjectId } from 'mongodb'
import type { AuthDeps } from './deps.ts'
import { ACCESS_TOKEN_SECONDS } from './lifetimes.ts'

/** Signs the token of a session, good for 15 minutes. */
export function issueAccessToken({ jwtSecret, clock }: Pick<AuthDeps, 'jwtSecret' | 'clock'>, userId: ObjectId) {
  const now = Math.floor(clock().getTime() / 1000)
  return sign({ sub: userId.toHexString(), iat: now, exp: now + ACCESS_TOKEN_SECONDS }, jwtSecret, 'HS256')
}
