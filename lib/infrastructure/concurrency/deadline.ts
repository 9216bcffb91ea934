import { setMaxListeners } from 'node:events'
import { linkAbort } from './link-abort.ts'

export interface Deadline {
  /** Aborted when the time is over, or with the reason of the parent when that one is. */
  signal: AbortSignal
  msLeft(): number
  clear(): void
}

/**
 * An AbortSignal that ends by itself; `AbortSignal.any` over `AbortSignal.timeout` may be collected before it fires. Any
 * number may listen to it, and any number of deadlines may follow one parent.
 */
export function startDeadline(ms: number, parent?: AbortSignal): Deadline {
  const controller = new AbortController()
  const endsAt = performance.now() + ms
  const timer = setTimeout(() => controller.abort(new DOMException('no answer in time', 'TimeoutError')), ms)
  const unlink = linkAbort(controller, parent)
  setMaxListeners(0, controller.signal)

  return {
    signal: controller.signal,
    msLeft: () => endsAt - performance.now(),
    clear() {
      clearTimeout(timer)
      unlink()
    },
  }
}
