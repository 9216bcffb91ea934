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
interface Line {
  /** Everybody who holds this line, those who still load it included. */
  users: number
  underWay: number
  /** In the order they came. */
  waiting: Set<WaitingAttempt>
  /** Failures in the store as last read, and when their window ends by `performance.now()`. */
  failed: { count: number; until: number }
  loaded: Promise<void>
}

function waitForTurn({ waiting }: Line, giveUpAt: number): Promise<void> {
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

const countFailures = ({ failed }: Line) => (performance.now() < failed.until ? failed.count : 0)

/** Answers of the store may cross, and within a window a count only grows. */
function noteFailures(line: Line, stored: RateLimiterRes | null): void {
  if (stored === null) return
  const count = Math.max(countFailures(line), stored.consumedPoints)
  line.failed = { count, until: performance.now() + stored.msBeforeNext }
}

/**
 * At most `limiter.points` failures of one key in the limiter's window. Parallel attempts cannot slip by: one that could be
 * a failure too many waits until those under way in this process have told, and only real failures refuse it.
 */
export function createAttemptLimit(limiter: RateLimiterAbstract): AttemptLimit {
  const lines = new Map<string, Line>()

  function assertRoom(line: Line): void {
    if (countFailures(line) >= limiter.points) throw rateLimited(line.failed.until - performance.now())
  }

  function callNext(line: Line): void {
    for (const next of line.waiting) {
      try {
        assertRoom(line)
      } catch (refusal) {
        next.refuse(refusal)
        continue
      }
      if (countFailures(line) + line.underWay >= limiter.points) return
      // Counted here, not when it wakes up: somebody else could come in between.
      line.underWay += 1
      next.admit()
    }
  }

  function join(key: string): Line {
    const known = lines.get(key)
    if (known !== undefined) return known
    const line: Line = {
      users: 0,
      underWay: 0,
      waiting: new Set(),
      failed: { count: 0, until: 0 },
      loaded: limiter.get(key).then((stored) => noteFailures(line, stored)),
    }
    lines.set(key, line)
    return line
  }

  async function enter(line: Line, giveUpAt: number): Promise<void> {
    await line.loaded
    assertRoom(line)
    // Failures may have become too old meanwhile: that room is first of those who wait.
    callNext(line)
    if (countFailures(line) + line.underWay < limiter.points) line.underWay += 1
    else await waitForTurn(line, giveUpAt)
  }

  async function runInTurn<T>(key: string, line: Line, attempt: () => Promise<T | null>): Promise<T | null> {
    try {
      const answer = await attempt()
      if (answer === null) noteFailures(line, await limiter.penalty(key))
      return answer
    } finally {
      line.underWay -= 1
      callNext(line)
    }
  }

  return async function run(key, { attempt, giveUpAt }) {
    const line = join(key)
    line.users += 1
    try {
      await enter(line, giveUpAt)
      return await runInTurn(key, line, attempt)
    } finally {
      line.users -= 1
      if (line.users === 0) lines.delete(key)
    }
  }
}
