import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { MAX_WAIT_MS, TASK_TIMEOUT_MS } from './timeouts.ts'

interface TurnOptions {
  maxWaitMs?: number
  /** True when no client waits for the task any more: the queue skips it. */
  isGone?: (() => boolean) | undefined
  /** The owner of the task has at most `OWNER_WAITING_MAX` tasks waiting for a key. */
  owner?: string
}

export type KeyedQueue = ReturnType<typeof createKeyedQueue>

const OWNER_WAITING_MAX = 5
const RETRY_AFTER_S = 1

/**
 * Runs the tasks of one key one after another, so that a write and its event stay together. A task that waited longer than
 * `maxWaitMs`, or whose client has disconnected, fails with UNAVAILABLE without running, so the queue drains at once after
 * an outage. A task that exceeds `taskTimeoutMs` no longer blocks its key; it may overlap a later one, so every write has
 * its own conditions.
 */
export function createKeyedQueue({ maxWaitMs: defaultMaxWaitMs = MAX_WAIT_MS, taskTimeoutMs = TASK_TIMEOUT_MS } = {}) {
  const tails = new Map<string, Promise<void>>()
  /** The numbers of waiting tasks by owner and key. */
  const waiting = new Map<string, number>()
  const countWaiting = (place: string, by: 1 | -1) => {
    const count = (waiting.get(place) ?? 0) + by
    if (count === 0) waiting.delete(place)
    else waiting.set(place, count)
  }

  return {
    /** @throws DomainError UNAVAILABLE when it is not run, RATE_LIMITED when too many of its owner wait */
    async run<T>(
      key: string,
      task: () => Promise<T>,
      { maxWaitMs = defaultMaxWaitMs, isGone = () => false, owner }: TurnOptions = {},
    ): Promise<T> {
      const place = owner === undefined ? undefined : `${owner} ${key}`
      if (place !== undefined && (waiting.get(place) ?? 0) >= OWNER_WAITING_MAX) {
        throw new DomainError('RATE_LIMITED', MESSAGES.tooManyRequests, { retryAfter: RETRY_AFTER_S })
      }
      if (place !== undefined) countWaiting(place, 1)
      const queuedAt = performance.now()
      let end = () => {}
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      const turn = async () => {
        if (place !== undefined) countWaiting(place, -1)
        if (performance.now() - queuedAt > maxWaitMs || isGone()) {
          throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable, { isUnwritten: true })
        }
        const timer = setTimeout(end, taskTimeoutMs).unref()
        try {
          return await task()
        } finally {
          clearTimeout(timer)
        }
      }
      const run = (tails.get(key) ?? Promise.resolve()).then(turn)
      tails.set(key, over)

      run.then(end, end)
      void over.then(() => {
        if (tails.get(key) === over) tails.delete(key)
      })
      return await run
    },
  }
}
