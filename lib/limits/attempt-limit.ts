import type { RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import { rateLimited } from './rate-limited.ts'

interface AttemptOptions<T> {
  /** Answers null when it failed. One that throws tells nothing, and does not count. */
  attempt: () => Promise<T | null>
  /** Until when it may wait for its turn, as `performance.now()` tells the time. */
  giveUpAt: number
}

/**
 * Runs an attempt of `key` and hands on its answer.
 * @throws DomainError RATE_LIMITED after too many failures, UNAVAILABLE when its turn did not come in time; then it did not run
 */
export type AttemptLimit = <T>(key: string, options: AttemptOptions<T>) => Promise<T | null>

interface WaitingAttempt {
  admit(): void
  refuse(reason: unknown): void
}

/** Attempts of one key in this process. While one waits, another is under way. */
interface AttemptQueue {
  /** Attempts that hold this queue, those that still load it included. */
  users: number
  underWay: number
  /** In the order they came. */
  waiting: Set<WaitingAttempt>
  /** Failures in the store as last read, and when their window ends by `performance.now()`. */
  failed: { count: number; until: number }
  loaded: Promise<void>
}

function waitForTurn({ waiting }: AttemptQueue, giveUpAt: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(self)
      clearTimeout(timer)
    }
    const self: WaitingAttempt = {
      admit() {
        leave()
        resolve()
      },
      refuse(reason) {
        leave()
        reject(reason)
      },
    }
    const giveUp = () => self.refuse(new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable))
    const timer = setTimeout(giveUp, Math.max(0, giveUpAt - performance.now()))
    waiting.add(self)
  })
}

const countFailures = ({ failed }: AttemptQueue) => (performance.now() < failed.until ? failed.count : 0)

/** Answers of the store may cross, and within a window a count only grows. */
function noteFailures(queue: AttemptQueue, stored: RateLimiterRes | null): void {
  if (stored === null) return
  const count = Math.max(countFailures(queue), stored.consumedPoints)
  queue.failed = { count, until: performance.now() + stored.msBeforeNext }
}

/**
 * At most `limiter.points` failures of one key in the limiter's window, and `concurrency` attempts at a time. Parallel
 * attempts cannot slip by: one that could be a failure too many waits until those under way in this process have told, and
 * only real failures refuse it.
 */
export function createAttemptLimit(limiter: RateLimiterAbstract, concurrency = limiter.points): AttemptLimit {
  const queues = new Map<string, AttemptQueue>()

  function assertRoom(queue: AttemptQueue): void {
    if (countFailures(queue) >= limiter.points) throw rateLimited(queue.failed.until - performance.now())
  }

  const isFull = (queue: AttemptQueue) => queue.underWay >= Math.min(concurrency, limiter.points - countFailures(queue))

  function admitNext(queue: AttemptQueue): void {
    for (const next of queue.waiting) {
      try {
        assertRoom(queue)
      } catch (refusal) {
        next.refuse(refusal)
        continue
      }
      if (isFull(queue)) return
      // Counted here, not when it wakes up: somebody else could come in between.
      queue.underWay += 1
      next.admit()
    }
  }

  function join(key: string): AttemptQueue {
    const known = queues.get(key)
    if (known !== undefined) return known
    const queue: AttemptQueue = {
      users: 0,
      underWay: 0,
      waiting: new Set(),
      failed: { count: 0, until: 0 },
      loaded: limiter.get(key).then((stored) => noteFailures(queue, stored)),
    }
    queues.set(key, queue)
    return queue
  }

  async function enter(queue: AttemptQueue, giveUpAt: number): Promise<void> {
    await queue.loaded
    assertRoom(queue)
    // Failures may have become too old meanwhile: that room is first of those who wait.
    admitNext(queue)
    if (isFull(queue)) await waitForTurn(queue, giveUpAt)
    else queue.underWay += 1
  }

  async function runInTurn<T>(key: string, queue: AttemptQueue, attempt: () => Promise<T | null>): Promise<T | null> {
    try {
      const answer = await attempt()
      if (answer === null) noteFailures(queue, await limiter.penalty(key))
      return answer
    } finally {
      queue.underWay -= 1
      admitNext(queue)
    }
  }

  return async function run(key, { attempt, giveUpAt }) {
    const queue = join(key)
    queue.users += 1
    try {
      await enter(queue, giveUpAt)
      return await runInTurn(key, queue, attempt)
    } finally {
      queue.users -= 1
      if (queue.users === 0) queues.delete(key)
    }
  }
}
