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

export type RateLimits = ReturnType<typeof createRateLimits>

export type LimitName = Exclude<keyof RateLimits, 'comments' | 'refusedBodies' | 'serviceKeys'>

const ATTEMPTS_PER_COMMENT = 5

function perMinute(points: number) {
  const limiter = new RateLimiterMemory({ points, duration: 60 })
  return {
    consume: (key: string) => takePoint(limiter, key),
    /** As `consume`, without taking a point. */
    async assertLeft(key: string): Promise<void> {
      const counted = await limiter.get(key)
      if (counted !== null && counted.remainingPoints <= 0) throw rateLimited(counted.msBeforeNext)
    },
  }
}

/** Limits of what one user does in a minute that begins with the first of it, counted in this process. */
export const createRateLimits = ({ commentsPerMinute, commentChangesPerMinute }: Config) => ({
  comments: perMinute(commentsPerMinute),
  /** Comments sent, refused ones included, because parsing one costs more than any other request. */
  commentAttempts: perMinute(commentsPerMinute * ATTEMPTS_PER_COMMENT),
  commentChanges: perMinute(commentChangesPerMinute),
  notifications: perMinute(120),
  presets: perMinute(60),
  profileChanges: perMinute(10),
  requestChanges: perMinute(30),
  refusedBodies: perMinute(600),
  serviceKeys: perMinute(600),
})
