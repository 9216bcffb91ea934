import { setMaxListeners } from 'node:events'

export interface Deadline {
  /** Aborted when the time is over, or with the reason of the parent. */
  signal: AbortSignal
  msLeft(): number
  clear(): void
}

/**
 * Starts a time limit below a parent's. Its timer holds the controller, because Node 20 collects an `AbortSignal.timeout`
 * that only `AbortSignal.any` refers to, and the time limit with it.
 */
export function startDeadline(ms: number, parent?: AbortSignal): Deadline {
  const late = new AbortController()
  const endsAt = performance.now() + ms
  const timer = setTimeout(() => late.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  const signal = AbortSignal.any(parent === undefined ? [late.signal] : [late.signal, parent])
  setMaxListeners(0, signal)

  return {
    signal,
    msLeft: () => endsAt - performance.now(),
    clear: () => clearTimeout(timer),
  }
}
