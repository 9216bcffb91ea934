import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

/** The refusal of whoever has used up a limit. */
export const rateLimited = (msBeforeNext: number) =>
  new DomainError('RATE_LIMITED', MESSAGES.tooManyRequests, {
    retryAfter: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  })
