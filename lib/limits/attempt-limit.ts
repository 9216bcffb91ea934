import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import { createSlidingWindow } from './sliding-window.ts'

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

interface Waiting {
  admit(): void
  refuse(reason: unknown): void
}

/** Attempts of one key. While one waits, another is under way. */
interface Line {
  underWay: number
  /** In the order they came. */
  waiting: Set<Waiting>
}

interface LimitOptions {
  failures: number
  minutes: number
  clock: () => Date
}

function waitForTurn({ waiting }: Line, giveUpAt: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      waiting.delete(self)
      clearTimeout(timer)
    }
    const self: Waiting = {
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

/**
 * At most so many `failures` within any `minutes` for one key. Parallel attempts cannot slip by: one that could be a failure
 * too many waits until those under way have told, and only real failures refuse it.
 */
export function createAttemptLimit({ failures, minutes, clock }: LimitOptions): AttemptLimit {
  const failed = createSlidingWindow({ limit: failures, seconds: minutes * 60, clock })
  const lines = new Map<string, Line>()

  function callNext(key: string, line: Line): void {
    for (const next of line.waiting) {
      try {
        failed.assertRoom(key)
      } catch (refusal) {
        next.refuse(refusal)
        continue
      }
      if (failed.count(key) + line.underWay >= failures) return
      // Counted here, not when it wakes up: somebody else could come in between.
      line.underWay += 1
      next.admit()
    }
  }

  async function enter(key: string, giveUpAt: number): Promise<Line> {
    failed.assertRoom(key)
    const line = lines.get(key) ?? { underWay: 0, waiting: new Set() }
    lines.set(key, line)
    // Failures may have become too old meanwhile: that room is first of those who wait.
    callNext(key, line)
    if (failed.count(key) + line.underWay < failures) line.underWay += 1
    else await waitForTurn(line, giveUpAt)
    return line
  }

  function leave(key: string, line: Line): void {
    line.underWay -= 1
    callNext(key, line)
    if (line.underWay === 0) lines.delete(key)
  }

  return async function run(key, { attempt, giveUpAt }) {
    const line = await enter(key, giveUpAt)
    try {
      const answer = await attempt()
      if (answer === null) failed.add(key)
      return answer
    } finally {
      leave(key, line)
    }
  }
}
