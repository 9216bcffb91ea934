import { beforeEach, describe, expect, it } from 'vitest'
import { type AttemptLimit, createAttemptLimit, takeAll } from '../../../lib/auth/attempt-limit.ts'
import { DomainError } from '../../../lib/errors.ts'

let now = 0
let take: AttemptLimit

beforeEach(() => {
  now = 1_000_000
  take = createAttemptLimit({ attempts: 3, minutes: 1, clock: () => new Date(now) })
})

/** Seconds to wait when it is refused, 0 when it is taken. */
function attempt(key: string, limit: AttemptLimit = take): number {
  try {
    limit(key)
    return 0
  } catch (error) {
    if (error instanceof DomainError && error.code === 'RATE_LIMITED') return error.details.retryAfter ?? Number.NaN
    throw error
  }
}

describe('createAttemptLimit', () => {
  it('takes so many of each key, then tells when the next is possible', () => {
    expect([attempt('a'), attempt('a'), attempt('a'), attempt('a')]).toEqual([0, 0, 0, 60])
    expect(attempt('b')).toBe(0)
  })

  it('holds for any minute, not for minutes of the clock', () => {
    attempt('a')
    now += 50_000
    attempt('a')
    attempt('a')
    expect(attempt('a')).toBe(10)
    now += 10_000
    expect([attempt('a'), attempt('a')]).toEqual([0, 50])
  })

  it('a refused attempt does not put off the next possible one', () => {
    for (let index = 0; index < 3; index++) attempt('a')
    now += 59_999
    expect(attempt('a')).toBe(1)
    now += 1
    expect(attempt('a')).toBe(0)
  })

  it('one given back is free again, once', () => {
    attempt('a')
    const giveBack = take('a')
    attempt('a')
    giveBack()
    giveBack()
    expect([attempt('a'), attempt('a')]).toEqual([0, 60])
  })

  it('one given back after its minute does not make room for more', () => {
    const giveBack = take('a')
    now += 60_000
    for (let index = 0; index < 3; index++) attempt('a')
    giveBack()
    expect(attempt('a')).toBe(60)
  })
})

describe('takeAll', () => {
  it('takes none when one refuses', () => {
    const narrow = createAttemptLimit({ attempts: 1, minutes: 1, clock: () => new Date(now) })
    narrow('x')
    for (let index = 0; index < 5; index++) {
      expect(() => takeAll([() => take('a'), () => narrow('x')])).toThrow(DomainError)
    }
    expect([attempt('a'), attempt('a'), attempt('a'), attempt('a')]).toEqual([0, 0, 0, 60])
  })

  it('gives all back', () => {
    const narrow = createAttemptLimit({ attempts: 1, minutes: 1, clock: () => new Date(now) })
    takeAll([() => take('a'), () => narrow('x')])()
    expect(attempt('x', narrow)).toBe(0)
  })
})
