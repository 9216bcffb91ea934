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
  /** Waits for a permit, in order of arrival, and answers its release. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>
  /** Grants no permit for so long. */
  pause(ms: number): void
  refuseAll(reason: Error): void
}

interface WaitingCall {
  grant: () => void
  refuse: (reason: unknown) => void
}

/** Makes callers wait so that a source sees no more requests than it allows. */
export function createThrottle({ requests, withinMs, open, timing }: ThrottleLimits & { timing: Timing }): Throttle {
  const queue = new Set<WaitingCall>()
  let counted: { until: number }[] = []
  let openNow = 0
  let pausedUntil = 0
  let wake = new AbortController()

  function start(): () => void {
    // The source counts a request when it arrives. An answer proves that: a permit released earlier counts from then.
    const permit = { until: timing.now() + SOURCE_TIMEOUTS.arrivalMs + withinMs }
    counted.push(permit)
    openNow += 1
    return () => {
      permit.until = Math.min(permit.until, timing.now() + withinMs)
      openNow -= 1
      grantNext()
    }
  }

  /** 0 when a permit is free, undefined when none is before another is released. */
  function nextPermitInMs(): number | undefined {
    const now = timing.now()
    counted = counted.filter(({ until }) => until > now)
    if (openNow >= open) return undefined
    const roomAt = counted.length < requests ? now : Math.min(...counted.map(({ until }) => until))
    return Math.max(0, roomAt - now, pausedUntil - now)
  }

  function grantNext(): void {
    wake.abort()
    for (const waiting of queue) {
      const ms = nextPermitInMs()
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
    async take(signal) {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.delete(waiting)
          reject(signal.reason)
          grantNext()
        }
        const waiting: WaitingCall = {
          grant() {
            signal.removeEventListener('abort', leave)
            resolve(start())
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
