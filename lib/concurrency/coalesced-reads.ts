import { setImmediate } from 'node:timers/promises'
import { COALESCED_MAX_WAIT_MS } from './timeouts.ts'
import { withTimeout } from './with-timeout.ts'

/**
 * Reads for all who want the same at the same time: those of one turn of the event loop share a read, one of a key runs, and
 * who asks meanwhile shares the next one. The one that runs is shared with nobody who asks later, because it may have begun
 * before what he has just written.
 */
export type CoalescedReads<T> = (key: string, read: () => Promise<T>) => Promise<T>

export function createCoalescedReads<T>({
  maxWaitMs = COALESCED_MAX_WAIT_MS,
}: {
  maxWaitMs?: number
} = {}): CoalescedReads<T> {
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

  return (key, read) => {
    const next = waiting.get(key)
    if (next !== undefined) return next
    const before = running.get(key)
    const turn = before === undefined ? setImmediate() : withTimeout(maxWaitMs, before).catch(() => undefined)
    const shared = turn.then(() => begin(key, read))
    waiting.set(key, shared)
    return shared
  }
}
