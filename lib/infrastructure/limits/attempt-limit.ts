import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { takePoint } from './rate-limited.ts'

/**
 * Runs an attempt of `key` and hands on its answer; null is a failure. An attempt that throws does not count.
 * @throws DomainError RATE_LIMITED after too many failures; then it did not run
 */
export type AttemptLimit = <T>(key: string, attempt: () => Promise<T | null>) => Promise<T | null>

/**
 * Allows `limiter.points` failures of one key in the limiter's window. An attempt takes its point before it runs and gets it
 * back unless it failed, so parallel guesses cannot slip by: attempts under way count as failures.
 */
export const createAttemptLimit = (limiter: RateLimiterAbstract): AttemptLimit =>
  async function run(key, attempt) {
    let hasFailed = false
    try {
      await takePoint(limiter, key)
      const answer = await attempt()
      hasFailed = answer === null
      return answer
    } finally {
      if (!hasFailed) await limiter.reward(key)
    }
  }
