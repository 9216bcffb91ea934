import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { DomainError } from '../../../lib/errors.ts'
import { type AttemptLimit, createAttemptLimit } from '../../../lib/limits/attempt-limit.ts'

let limit: AttemptLimit

beforeEach(() => {
  // Time passes only where a test says so; what is due without a timer still happens.
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  limit = createAttemptLimit(new RateLimiterMemory({ points: 3, duration: 60 }))
})
afterEach(() => vi.useRealTimers())

const inTime = () => performance.now() + 60_000

/** Outcome of an attempt: the answer, seconds to wait, or the code of another refusal. */
const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.catch((error: unknown) => {
    if (!(error instanceof DomainError)) throw error
    return error.details.retryAfter ?? error.code
  })

const fail = (key = 'a') => outcomeOf(limit(key, { attempt: async () => null, giveUpAt: inTime() }))
const succeed = (key = 'a') => outcomeOf(limit(key, { attempt: async () => 'in', giveUpAt: inTime() }))

function hold(key = 'a', giveUpAt = inTime()) {
  let end: { resolve(answer: string | null): void; reject(error: Error): void } | undefined
  const check = new Promise<string | null>((resolve, reject) => {
    end = { resolve, reject }
  })
  let hasBegun = false
  const attempt = () => {
    hasBegun = true
    return check
  }
  return {
    hasBegun: () => hasBegun,
    outcome: outcomeOf(limit(key, { attempt, giveUpAt })),
    fail: () => end?.resolve(null),
    succeed: () => end?.resolve('in'),
    break: () => end?.reject(new DomainError('UNAVAILABLE', 'out of reach')),
  }
}

const begun = (held: { hasBegun(): boolean }[]) => held.map((one) => one.hasBegun())
/** Whatever is due without another event. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('failures', () => {
  it('refuse after so many of one key, and tell when the next attempt is possible', async () => {
    expect([await fail(), await fail(), await fail(), await fail(), await succeed()]).toEqual([
      null,
      null,
      null,
      60,
      60,
    ])
    expect(await succeed('b')).toBe('in')
    vi.advanceTimersByTime(60_000)
    expect(await succeed()).toBe('in')
  })

  it('count; successes and what broke do not', async () => {
    for (let index = 0; index < 5; index++) expect(await succeed()).toBe('in')
    for (let index = 0; index < 5; index++) {
      const broken = hold()
      broken.break()
      expect(await broken.outcome).toBe('UNAVAILABLE')
    }
    expect([await fail(), await fail(), await fail(), await fail()]).toEqual([null, null, null, 60])
  })
})

describe('parallel attempts', () => {
  it('come in as they arrived, one for each place that becomes free', async () => {
    const held = Array.from({ length: 6 }, () => hold())
    held[1]?.succeed()
    await settle()
    expect(begun(held)).toEqual([true, true, true, true, false, false])

    held[0]?.fail()
    await settle()
    expect(begun(held)).toEqual([true, true, true, true, false, false])

    held[3]?.break()
    await settle()
    expect(begun(held)).toEqual([true, true, true, true, true, false])
    for (const one of held) one.succeed()
    expect(await held[5]?.outcome).toBe('in')
  })

  it('one that arrives when a failure has become too old does not overtake who waits', async () => {
    await fail()
    const held = Array.from({ length: 3 }, () => hold())
    await settle()
    expect(begun(held)).toEqual([true, true, false])

    vi.advanceTimersByTime(60_000)
    const late = hold()
    await settle()
    expect(begun([...held, late])).toEqual([true, true, true, false])
    for (const one of [...held, late]) one.succeed()
    expect(await late.outcome).toBe('in')
  })

  it('one whose turn does not come in time is UNAVAILABLE, never runs, and takes no place', async () => {
    const held = Array.from({ length: 3 }, () => hold())
    const givenUp = hold('a', performance.now() + 20)
    const patient = hold()
    expect(await givenUp.outcome).toBe('UNAVAILABLE')

    held[0]?.succeed()
    await settle()
    expect(begun([givenUp, patient])).toEqual([false, true])
    for (const one of [...held, patient]) one.fail()
    await Promise.all([...held, patient].map(({ outcome }) => outcome))
    expect(await succeed()).toBe(60)
  })
})
