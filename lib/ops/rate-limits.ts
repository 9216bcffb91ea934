import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

export interface RateLimit {
  /** Takes one point of `key`. @throws DomainError RATE_LIMITED with `retryAfter` in seconds */
  consume(key: string): Promise<void>
}

/** At most `points` in each `seconds` for one key, counted in this process. */
function createRateLimit({ points, seconds }: { points: number; seconds: number }): RateLimit {
  const limiter = new RateLimiterMemory({ points, duration: seconds })

  return {
    async consume(key) {
      try {
        await limiter.consume(key)
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal
        const retryAfter = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000))
        throw new DomainError('RATE_LIMITED', MESSAGES.tooManyRequests, { retryAfter })
      }
    },
  }
}

export interface RateLimits {
  comments: RateLimit
  commentChanges: RateLimit
}

const MINUTE = 60

export const createRateLimits = (config: Config): RateLimits => ({
  comments: createRateLimit({ points: config.commentsPerMinute, seconds: MINUTE }),
  commentChanges: createRateLimit({ points: config.commentChangesPerMinute, seconds: MINUTE }),
})
