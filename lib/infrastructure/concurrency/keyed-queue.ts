import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { MAX_WAIT_MS, TASK_TIMEOUT_MS } from './timeouts.ts'

interface TurnOptions {
  maxWaitMs?: number
  /** Whether nobody waits for the task any more: it is not run then. */
  isGone?: (() => boolean) | undefined
  /** Whose task it is: one owner has at most `OWNER_WAITING_MAX` of them waiting for a key. */
  owner?: string
}

export interface KeyedQueue {
  /**
   * Runs a task after all earlier ones of its key.
   * @throws DomainError UNAVAILABLE when it is not run, RATE_LIMITED when too many of its owner wait
   */
  run<T>(key: string, task: () => Promise<T>, options?: TurnOptions): Promise<T>
}

const OWNER_WAITING_MAX = 5
const RETRY_AFTER_S = 1

/** Counts what waits, by name. */
function createWaiting() {
  const counts = new Map<string, number>()
  return {
    count: (name: string) => counts.get(name) ?? 0,
    add(name: string, by: 1 | -1) {
      const count = (counts.get(name) ?? 0) + by
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    },
  }
}

/**
 * Runs the tasks of one key one after another, so that a write and its announcement stay together. A task whose turn
 * comes after `maxWaitMs`, or whose client has gone, is not run at all: it fails with UNAVAILABLE, and the queue behind an
 * outage drains at once. One that does not end within `taskTimeoutMs` is no longer waited for: it may end beside a later one, so each write holds its own
 * conditions.
 */
export function createKeyedQueue({
  maxWaitMs: defaultMaxWaitMs = MAX_WAIT_MS,
  taskTimeoutMs = TASK_TIMEOUT_MS,
} = {}): KeyedQueue {
  /** When the last turn of each key is over. */
  const tails = new Map<string, Promise<void>>()
  const waiting = createWaiting()

  return {
    async run(key, task, { maxWaitMs = defaultMaxWaitMs, isGone = () => false, owner } = {}) {
      const place = owner === undefined ? undefined : `${owner} ${key}`
      if (place !== undefined && waiting.count(place) >= OWNER_WAITING_MAX) {
        throw new DomainError('RATE_LIMITED', MESSAGES.tooManyRequests, { retryAfter: RETRY_AFTER_S })
      }
      if (place !== undefined) waiting.add(place, 1)
      const queuedAt = performance.now()
      let end = () => {}
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      const turn = async () => {
        if (place !== undefined) waiting.add(place, -1)
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
