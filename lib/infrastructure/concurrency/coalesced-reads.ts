import { setImmediate } from 'node:timers/promises'
import { COALESCED_MAX_WAIT_MS } from './timeouts.ts'
import { withTimeout } from './with-timeout.ts'

/**
 * Reads once for all callers whose input, as JSON, is the same at the same time. `read` is given that input, so that nothing
 * it depends on is missing from what is compared. A read is shared only with callers that come before it begins; later ones
 * share the next, because the one that runs may have begun before their own write.
 */
export type CoalescedReads<I, T> = (input: I, read: (input: I) => Promise<T>) => Promise<T>

export function createCoalescedReads<I, T>({
  maxWaitMs = COALESCED_MAX_WAIT_MS,
}: {
  maxWaitMs?: number
} = {}): CoalescedReads<I, T> {
  const running = new Map<string, Promise<T>>()
  const waiting = new Map<string, Promise<T>>()

  function begin(key: string, read: () => Promise<T>): Promise<T> {
    waiting.delete(key)
    const own = read()
    running.set(key, own)

    const forget = () => {
      if (running.get(key) === own) running.delete(key)
    }
    own.then(forget, forget)
    return own
  }

  return (input, read) => {
    const key = JSON.stringify([input])
    const next = waiting.get(key)
    if (next !== undefined) return next
    const before = running.get(key)
    const turn = before === undefined ? setImmediate() : withTimeout(maxWaitMs, before).catch(() => undefined)
    const shared = turn.then(() => begin(key, () => read(input)))
    waiting.set(key, shared)
    return shared
  }
}
