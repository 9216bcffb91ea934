import { once } from 'node:events'
import { SOURCE_TIMEOUTS } from '../../concurrency/timeouts.ts'
import type { Timing } from './timing.ts'

export interface ThrottleLimits {
  requests: number
  withinMs: number
  /** The greatest number of running requests. */
  open: number
}

interface WaitingCall {
  isBackground: boolean
  /** Makes the call look again at once. */
  wake(): void
  refusal?: Error
}

const halfOf = (count: number) => Math.max(1, Math.floor(count / 2))
const firstEnd = (permits: readonly { until: number }[]) => Math.min(...permits.map(({ until }) => until))

/** Makes callers wait so that a source sees no more requests than it allows. */
export function createThrottle({ requests, withinMs, open, timing }: ThrottleLimits & { timing: Timing }) {
  const queue = new Set<WaitingCall>()
  /** A source with one request at a time may have one of the background beside it. */
  const openMost = Math.max(open, 2)
  /** The additional rest of background work where half of a single permit is one in twice the time. */
  const restMs = requests < 2 ? withinMs : 0
  let counted: { until: number }[] = []
  let countedBackground: typeof counted = []
  const openNow = { background: 0, others: 0 }
  let pausedUntil = 0

  function start(isBackground: boolean): () => void {
    // The source counts a request at its arrival, which the answer proves. So a permit counts from its release, if that is earlier.
    const permit = { until: timing.now() + SOURCE_TIMEOUTS.arrivalMs + withinMs }
    const kind = isBackground ? 'background' : 'others'
    counted.push(permit)
    if (isBackground) countedBackground.push(permit)
    openNow[kind] += 1
    return () => {
      permit.until = Math.min(permit.until, timing.now() + withinMs)
      openNow[kind] -= 1
      findNext()?.wake()
    }
  }

  /** The wait for a permit: 0 when one is free, undefined when another must be released first. */
  function nextPermitInMs(isBackground: boolean): number | undefined {
    const now = timing.now()
    counted = counted.filter(({ until }) => until > now)
    countedBackground = countedBackground.filter(({ until }) => until + restMs > now)
    const isOpenMost = isBackground ? openNow.background >= halfOf(open) : openNow.others >= open
    if (isOpenMost || openNow.background + openNow.others >= openMost) return undefined

    const isShareTaken = isBackground && countedBackground.length >= halfOf(requests)
    const freeAt = counted.length >= requests ? firstEnd(counted) : now
    const shareAt = isShareTaken ? firstEnd(countedBackground) + restMs : now
    return Math.max(freeAt, shareAt, pausedUntil, now) - now
  }

  function findNext(): WaitingCall | undefined {
    const inOrder = [...queue]
    return inOrder.find(({ isBackground }) => !isBackground) ?? inOrder[0]
  }

  return {
    /** Waits for a permit and returns its release. Background work takes at most half of the permits, and none while other calls wait. */
    async take(signal: AbortSignal, { isBackground = false }: { isBackground?: boolean | undefined } = {}) {
      signal.throwIfAborted()
      const waiting: WaitingCall = { isBackground, wake: () => undefined }
      queue.add(waiting)
      try {
        for (;;) {
          const ms = findNext() === waiting ? nextPermitInMs(isBackground) : undefined
          if (ms === 0) return start(isBackground)
          const woken = new AbortController()
          waiting.wake = () => woken.abort()
          const ending = AbortSignal.any([signal, woken.signal])
          await (ms === undefined ? once(ending, 'abort') : timing.wait(ms, ending).catch(() => undefined))
          signal.throwIfAborted()
          if (waiting.refusal !== undefined) throw waiting.refusal
        }
      } finally {
        queue.delete(waiting)
        findNext()?.wake()
      }
    },
    pause(ms: number): void {
      pausedUntil = Math.max(pausedUntil, timing.now() + ms)
    },
    refuseAll(reason: Error): void {
      for (const waiting of queue) {
        waiting.refusal = reason
        waiting.wake()
      }
    },
  }
}
