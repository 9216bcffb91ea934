import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'

export const rateLimited = (msBeforeNext: number) =>
  new DomainError('RATE_LIMITED', MESSAGES.tooManyRequests, {
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  })

/** Takes one point of `key`. @throws DomainError RATE_LIMITED with `retryAfter` in seconds */
export async function takePoint(limiter: RateLimiterAbstract, key: string): Promise<void> {
  await limiter.consume(key).catch((refusal: unknown) => {
    throw refusal instanceof RateLimiterRes ? rateLimited(refusal.msBeforeNext) : refusal
  })
}
