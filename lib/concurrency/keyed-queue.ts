import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import { MAX_WAIT_MS, TASK_TIMEOUT_MS } from './timeouts.ts'

export interface KeyedQueue {
  /** Runs a task after all earlier ones of its key. @throws DomainError UNAVAILABLE when its turn comes after `maxWaitMs` */
  run<T>(key: string, task: () => Promise<T>, options?: { maxWaitMs?: number }): Promise<T>
}

/**
 * Runs the tasks of one key one after another, so that a write and its announcement stay together. A task whose turn
 * comes after `maxWaitMs` is not run at all: it fails with UNAVAILABLE, and the queue behind an outage drains at once. One
 * that does not end within `taskTimeoutMs` is no longer waited for: it may end beside a later one, so each write holds its own
 * conditions.
 */
export function createKeyedQueue({
  maxWaitMs: defaultMaxWaitMs = MAX_WAIT_MS,
  taskTimeoutMs = TASK_TIMEOUT_MS,
} = {}): KeyedQueue {
  /** When the last turn of each key is over. */
  const tails = new Map<string, Promise<void>>()

  return {
    run(key, task, { maxWaitMs = defaultMaxWaitMs } = {}) {
      const queuedAt = performance.now()
      let end = () => {}
      const over = new Promise<void>((resolve) => {
        end = resolve
      })
      const turn = async () => {
        if (performance.now() - queuedAt > maxWaitMs) {
          throw new DomainError('UNAVAILABLE', MESSAGES.serviceUnavailable)
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
      return run
    },
  }
}
