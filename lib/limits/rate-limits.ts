import type { Config } from '../config.ts'
import { createSlidingWindow } from './sliding-window.ts'

interface RateLimit {
  /** Takes one point of `key`. @throws DomainError RATE_LIMITED with `retryAfter` in seconds, and then takes none */
  consume(key: string): Promise<void>
}

export interface RateLimits {
  comments: RateLimit
  /** Comments sent, also those that are refused for what they say: reading one costs more than any other request. */
  commentAttempts: RateLimit
  commentChanges: RateLimit
}

/** A limit that an endpoint can name. */
export type LimitName = Exclude<keyof RateLimits, 'comments'>

const MINUTE = 60
const ATTEMPTS_PER_COMMENT = 5

/** Limits of what one user does, each within any minute, counted in this process. */
export function createRateLimits(config: Config, clock: () => Date): RateLimits {
  function perMinute(limit: number): RateLimit {
    const window = createSlidingWindow({ limit, seconds: MINUTE, clock })
    return { consume: async (key) => window.take(key) }
  }

  return {
    comments: perMinute(config.commentsPerMinute),
    commentAttempts: perMinute(config.commentsPerMinute * ATTEMPTS_PER_COMMENT),
    commentChanges: perMinute(config.commentChangesPerMinute),
  }
}
