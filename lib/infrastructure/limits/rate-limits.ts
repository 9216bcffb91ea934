import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../../base/config.ts'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'

export const rateLimited = (msBeforeNext: number, message: string = MESSAGES.tooManyRequests) =>
  new DomainError('RATE_LIMITED', message, {
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  })

/** Takes one point of `key`. @throws DomainError RATE_LIMITED with `retryAfter` in seconds */
export async function takePoint(limiter: RateLimiterAbstract, key: string): Promise<void> {
  await limiter.consume(key).catch((refusal: unknown) => {
    throw refusal instanceof RateLimiterRes ? rateLimited(refusal.msBeforeNext) : refusal
  })
}

interface RateLimit {
  /** Takes one point of `key`. @throws DomainError RATE_LIMITED with `retryAfter` in seconds */
  consume(key: string): Promise<void>
  assertLeft(key: string): Promise<void>
}

export interface RateLimits {
  comments: RateLimit
  /** Comments sent, also those that are refused for what they say: reading one costs more than any other request. */
  commentAttempts: RateLimit
  commentChanges: RateLimit
  notifications: RateLimit
  presets: RateLimit
  profileChanges: RateLimit
  requestChanges: RateLimit
  /** Bodies that were refused, of one user, or of one address where nobody is signed in. */
  refusedBodies: RateLimit
  serviceKeys: RateLimit
}

export type LimitName = Exclude<keyof RateLimits, 'comments' | 'refusedBodies' | 'serviceKeys'>

const MINUTE = 60
const ATTEMPTS_PER_COMMENT = 5
const PRESETS_PER_MINUTE = 60
const PROFILE_CHANGES_PER_MINUTE = 10
const REQUEST_CHANGES_PER_MINUTE = 30
const NOTIFICATION_CHANGES_PER_MINUTE = 120
const REFUSED_BODIES_PER_MINUTE = 600
const SERVICE_KEY_REQUESTS_PER_MINUTE = 600

function perMinute(points: number): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: MINUTE })
  return {
    consume: (key) => takePoint(limiter, key),
    async assertLeft(key) {
      const counted = await limiter.get(key)
      if (counted !== null && counted.remainingPoints <= 0) throw rateLimited(counted.msBeforeNext)
    },
  }
}

/** Limits of what one user does in a minute that begins with the first of it, counted in this process. */
export const createRateLimits = ({ commentsPerMinute, commentChangesPerMinute }: Config): RateLimits => ({
  comments: perMinute(commentsPerMinute),
  commentAttempts: perMinute(commentsPerMinute * ATTEMPTS_PER_COMMENT),
  commentChanges: perMinute(commentChangesPerMinute),
  notifications: perMinute(NOTIFICATION_CHANGES_PER_MINUTE),
  presets: perMinute(PRESETS_PER_MINUTE),
  profileChanges: perMinute(PROFILE_CHANGES_PER_MINUTE),
  requestChanges: perMinute(REQUEST_CHANGES_PER_MINUTE),
  refusedBodies: perMinute(REFUSED_BODIES_PER_MINUTE),
  serviceKeys: perMinute(SERVICE_KEY_REQUESTS_PER_MINUTE),
})
