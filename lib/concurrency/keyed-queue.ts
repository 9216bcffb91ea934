import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import { MAX_WAIT_MS } from './timeouts.ts'

export interface KeyedQueue {
  /** Runs a task after all earlier ones of its key. @throws DomainError UNAVAILABLE when its turn comes after `maxWaitMs` */
  run<T>(key: string, task: () => Promise<T>, options?: { maxWaitMs?: number }): Promise<T>
  /** Whether nothing of this key is running or waiting. */
  isIdle(key: string): boolean
}

/**
 * Runs the tasks of one key one after another, so that a write and its announcement stay together. A task whose turn
 * comes after `maxWaitMs` is not run at all: it fails with UNAVAILABLE, and the queue behind an outage drains at once.
 */
export function createKeyedQueue({ maxWaitMs: defaultMaxWaitMs = MAX_WAIT_MS } = {}): KeyedQueue {
  const tails = new Map<string, Promise<unknown>>()

  return {
    run(key, task, { maxWaitMs = defaultMaxWaitMs } = {}) {
      const queuedAt = performance.now()
      const turn = () => {
        if (performance.now() - queuedAt > maxWaitMs) {
          throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
        }
        return task()
      }
      const tail = tails.get(key)
      const run = tail === undefined ? Promise.resolve().then(turn) : tail.then(turn, turn)
      tails.set(key, run)

      const forget = () => {
        if (tails.get(key) === run) tails.delete(key)
      }
      run.then(forget, forget)
      return run
    },

    isIdle: (key) => !tails.has(key),
  }
}
