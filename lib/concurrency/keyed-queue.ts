import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'

export interface InOrder {
  <T>(key: string, task: () => Promise<T>, options?: { maxWaitMs?: number }): Promise<T>
  /** Whether nothing of this key is at work or waiting. */
  isIdle(key: string): boolean
}

/** How long a task may wait for its turn where its caller sets no closer limit. */
const MAX_WAIT_MS = 2_000

/**
 * Runs the tasks of one key one after another, so that a write and its announcement stay together. A task whose turn
 * comes after `maxWaitMs` is not run at all: it fails with UNAVAILABLE, and the queue behind an outage drains at once.
 */
export function createInOrder({ maxWaitMs: usualMs = MAX_WAIT_MS } = {}): InOrder {
  const tails = new Map<string, Promise<unknown>>()

  function inOrder<T>(
    key: string,
    task: () => Promise<T>,
    { maxWaitMs = usualMs }: { maxWaitMs?: number } = {},
  ): Promise<T> {
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
  }

  return Object.assign(inOrder, { isIdle: (key: string) => !tails.has(key) })
}
