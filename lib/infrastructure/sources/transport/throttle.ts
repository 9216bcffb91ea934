import { SOURCE_TIMEOUTS } from '../../concurrency/timeouts.ts'
import type { Timing } from './timing.ts'

export interface ThrottleLimits {
  /** At most so many within any `withinMs`. */
  requests: number
  withinMs: number
  /** At most so many at once. */
  open: number
}

export interface Throttle {
  /**
   * Waits for a permit, in order of arrival, and answers its release. Rejects with the signal's reason. Background work takes
   * at most half of the permits, and none while other calls wait.
   */
  take(signal: AbortSignal, options?: { isBackground?: boolean | undefined }): Promise<() => void>
  /** Grants no permit for so long. */
  pause(ms: number): void
  refuseAll(reason: Error): void
}

interface WaitingCall {
  isBackground: boolean
  grant: () => void
  refuse: (reason: unknown) => void
}

const halfOf = (count: number) => Math.max(1, Math.floor(count / 2))

/** Makes callers wait so that a source sees no more requests than it allows. */
export function createThrottle({ requests, withinMs, open, timing }: ThrottleLimits & { timing: Timing }): Throttle {
  const queue = new Set<WaitingCall>()
  /** Where one request may be open at once, a background one may be open beside it. */
  const openMost = Math.max(open, 2)
  /** Half of a single permit is one in twice the time. */
  const restMs = requests < 2 ? withinMs : 0
  let counted: { until: number }[] = []
  let countedBackground: typeof counted = []
  const openNow = { background: 0, others: 0 }
  let pausedUntil = 0
  let wake = new AbortController()

  function start(isBackground: boolean): () => void {
    // The source counts a request when it arrives. An answer proves that: a permit released earlier counts from then.
    const permit = { until: timing.now() + SOURCE_TIMEOUTS.arrivalMs + withinMs }
    const kind = isBackground ? 'background' : 'others'
    counted.push(permit)
    if (isBackground) countedBackground.push(permit)
    openNow[kind] += 1
    return () => {
      permit.until = Math.min(permit.until, timing.now() + withinMs)
      openNow[kind] -= 1
      grantNext()
    }
  }

  /** 0 when a permit is free, undefined when none is before another is released. */
  function nextPermitInMs(isBackground: boolean): number | undefined {
    const now = timing.now()
    counted = counted.filter(({ until }) => until > now)
    countedBackground = countedBackground.filter(({ until }) => until + restMs > now)
    const isOpenMost = isBackground ? openNow.background >= halfOf(open) : openNow.others >= open
    if (isOpenMost || openNow.background + openNow.others >= openMost) return undefined

    const roomAt = (permits: typeof counted, most: number) =>
      permits.length < most ? now : Math.min(...permits.map(({ until }) => until))
    const isShareTaken = isBackground && countedBackground.length >= halfOf(requests)
    const shareAt = isShareTaken ? roomAt(countedBackground, halfOf(requests)) + restMs : now
    return Math.max(0, Math.max(roomAt(counted, requests), shareAt, pausedUntil) - now)
  }

  function grantNext(): void {
    wake.abort()
    const inOrder = [...queue].sort((a, b) => Number(a.isBackground) - Number(b.isBackground))
    for (const waiting of inOrder) {
      const ms = nextPermitInMs(waiting.isBackground)
      if (ms === undefined) return
      if (ms > 0) {
        grantIn(ms)
        return
      }
      queue.delete(waiting)
      waiting.grant()
    }
  }

  function grantIn(ms: number): void {
    wake = new AbortController()
    timing.wait(ms, wake.signal).then(grantNext, () => undefined)
  }

  return {
    async take(signal, { isBackground = false } = {}) {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.delete(waiting)
          reject(signal.reason)
          grantNext()
        }
        const waiting: WaitingCall = {
          isBackground,
          grant() {
            signal.removeEventListener('abort', leave)
            resolve(start(isBackground))
          },
          refuse(reason) {
            signal.removeEventListener('abort', leave)
            reject(reason)
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.add(waiting)
        grantNext()
      })
    },
    pause(ms) {
      pausedUntil = Math.max(pausedUntil, timing.now() + ms)
    },
    refuseAll(reason) {
      const refused = [...queue]
      queue.clear()
      for (const { refuse } of refused) refuse(reason)
    },
  }
}
