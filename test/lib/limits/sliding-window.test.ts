import { beforeEach, describe, expect, it } from 'vitest'
import { DomainError } from '../../../lib/errors.ts'
import { createSlidingWindow, type SlidingWindow } from '../../../lib/limits/sliding-window.ts'

let now = 0
let window: SlidingWindow

beforeEach(() => {
  now = 1_000_000
  window = createSlidingWindow({ limit: 3, seconds: 60, clock: () => new Date(now) })
})

/** Seconds to wait when it is refused, 0 when it is taken. */
function take(key: string): number {
  try {
    window.take(key)
    return 0
  } catch (error) {
    if (error instanceof DomainError && error.code === 'RATE_LIMITED') return error.details.retryAfter ?? Number.NaN
    throw error
  }
}

describe('createSlidingWindow', () => {
  it('takes so many of each key, then tells when the next is possible', () => {
    expect([take('a'), take('a'), take('a'), take('a')]).toEqual([0, 0, 0, 60])
    expect(take('b')).toBe(0)
  })

  it('holds for any minute, not for minutes of the clock', () => {
    take('a')
    now += 50_000
    take('a')
    take('a')
    expect(take('a')).toBe(10)
    now += 10_000
    expect([take('a'), take('a')]).toEqual([0, 50])
  })

  it('a refused one does not put off the next possible one', () => {
    for (let index = 0; index < 3; index++) take('a')
    now += 59_999
    expect(take('a')).toBe(1)
    now += 1
    expect(take('a')).toBe(0)
  })

  it('counts what was added beyond the limit, and is full until enough of it is over', () => {
    for (let index = 0; index < 5; index++) {
      window.add('a')
      now += 1_000
    }
    expect(window.count('a')).toBe(5)
    expect(take('a')).toBe(57)
    now += 57_000
    expect(window.count('a')).toBe(2)
    expect(take('a')).toBe(0)
  })

  it('never has more than the limit within its length, over many of them', () => {
    window = createSlidingWindow({ limit: 100, seconds: 60, clock: () => new Date(now) })
    const taken: number[] = []
    for (let second = 0; second < 600; second++) {
      for (let index = 0; index < 7; index++) if (take('a') === 0) taken.push(now)
      now += 1_000
    }
    const most = Math.max(...taken.map((from) => taken.filter((at) => at >= from && at < from + 60_000).length))
    expect(most).toBe(100)
    expect(taken).toHaveLength(1_000)
  })

  it('keeps 50,000 keys at most: the one that rested longest makes room', () => {
    for (const key of ['a', 'b', 'b', 'b', 'a', 'a']) take(key)
    for (let index = 0; index < 49_999; index++) take(`other ${index}`)
    expect([take('a'), window.count('b')]).toEqual([60, 0])
  })

  it('one key does not forget another that still counts', () => {
    for (let index = 0; index < 3; index++) take('a')
    for (let index = 0; index < 1_000; index++) {
      now += 59
      take(`other ${index}`)
    }
    expect(take('a')).toBe(1)
    now += 1_000
    expect(take('a')).toBe(0)
  })
})
