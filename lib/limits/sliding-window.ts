import { LRUCache } from 'lru-cache'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

/** Counts what happened to each key within the last while, in this process. */
export interface SlidingWindow {
  count(key: string): number
  add(key: string): void
  /** @throws DomainError RATE_LIMITED with the seconds until one more fits */
  assertRoom(key: string): void
  /** Adds one where it fits. @throws DomainError RATE_LIMITED, and then adds none */
  take(key: string): void
}

interface Events {
  /** In order; those before `first` are out of the window. */
  times: number[]
  first: number
}

interface WindowOptions {
  limit: number
  seconds: number
  clock: () => Date
}

const KEYS_KEPT = 50_000
const DEAD_KEPT = 64

/** At most `limit` within any `seconds` for one key: no moment of the clock begins it anew. */
export function createSlidingWindow({ limit, seconds, clock }: WindowOptions): SlidingWindow {
  const windowMs = seconds * 1_000
  const kept = new LRUCache<string, Events>({ max: KEYS_KEPT })

  const isOver = (time: number | undefined, now: number) => time !== undefined && now - time >= windowMs

  function dropOver(events: Events, now: number): void {
    while (isOver(events.times[events.first], now)) events.first += 1
    // Not at each drop: moving what is left costs more than a count.
    if (events.first < DEAD_KEPT || events.first * 2 < events.times.length) return
    events.times.splice(0, events.first)
    events.first = 0
  }

  function countAt(key: string, now: number): number {
    const events = kept.peek(key)
    if (events === undefined) return 0
    dropOver(events, now)
    return events.times.length - events.first
  }

  /** Two for each one added, so that keys of the past do not stay until `KEYS_KEPT` pushes them out. */
  function forgetIdleKeys(now: number): void {
    for (let index = 0; index < 2; index++) {
      const key = kept.rkeys().next().value
      if (key === undefined || !isOver(kept.peek(key)?.times.at(-1), now)) return
      kept.delete(key)
    }
  }

  function addAt(key: string, now: number): void {
    const events = kept.peek(key) ?? { times: [], first: 0 }
    events.times.push(now)
    kept.set(key, events)
    forgetIdleKeys(now)
  }

  function assertRoomAt(key: string, now: number): void {
    const over = countAt(key, now) - limit
    if (over < 0) return
    const events = kept.peek(key)
    const frees = events?.times[events.first + over] ?? now
    const retryAfter = Math.max(1, Math.ceil((frees + windowMs - now) / 1_000))
    throw new DomainError('RATE_LIMITED', MESSAGES.tooManyRequests, { retryAfter })
  }

  return {
    count: (key) => countAt(key, clock().getTime()),
    add: (key) => addAt(key, clock().getTime()),
    assertRoom: (key) => assertRoomAt(key, clock().getTime()),
    take(key) {
      const now = clock().getTime()
      assertRoomAt(key, now)
      addAt(key, now)
    },
  }
}
