import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DomainError } from '#lib/base/errors'
import { type AttemptLimit, createAttemptLimit } from '#lib/infrastructure/limits/attempt-limit'

let limit: AttemptLimit

beforeEach(() => {
  vi.useFakeTimers()
  limit = createAttemptLimit(new RateLimiterMemory({ points: 3, duration: 60 }))
})
afterEach(() => vi.useRealTimers())

/** Outcome of an attempt: the answer, seconds to wait, or the code of another refusal. */
const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    return error.details.retryAfter ?? error.code
  })

const fail = (key = 'a') => outcomeOf(limit(key, async () => null))
const succeed = (key = 'a') => outcomeOf(limit(key, async () => 'in'))
const breakDown = () =>
  outcomeOf(
    limit('a', async () => {
      throw new DomainError('UNAVAILABLE', 'out of reach')
    }),
  )

it('failures refuse after so many of one key, and tell when the next attempt is possible', async () => {
  expect([await fail(), await fail(), await fail(), await fail(), await succeed()]).toEqual([null, null, null, 60, 60])
  expect(await succeed('b')).toBe('in')
  vi.advanceTimersByTime(60_000)
  expect(await succeed()).toBe('in')
})

it('failures count; successes and what broke do not', async () => {
  for (let index = 0; index < 5; index++) expect(await succeed()).toBe('in')
  for (let index = 0; index < 5; index++) expect(await breakDown()).toBe('UNAVAILABLE')
  expect([await fail(), await fail(), await fail(), await fail()]).toEqual([null, null, null, 60])
})

it('parallel attempts cannot slip by: those beyond the limit do not run, and do not count', async () => {
  const ends: (() => void)[] = []
  const attempt = () => new Promise<string>((resolve) => ends.push(() => resolve('in')))
  const parallel = Array.from({ length: 6 }, () => outcomeOf(limit('a', attempt)))
  await vi.waitFor(() => expect(ends).toHaveLength(3))
  expect(await Promise.all(parallel.slice(3))).toEqual([60, 60, 60])

  for (const end of ends) end()
  expect(await Promise.all(parallel.slice(0, 3))).toEqual(['in', 'in', 'in'])
  expect([await fail(), await fail(), await fail(), await succeed()]).toEqual([null, null, null, 60])
})
