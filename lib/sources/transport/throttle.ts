import type { Timing } from './timing.ts'

export interface ThrottleLimits {
  /** At most so many within any `withinMs`. */
  requests: number
  withinMs: number
  /** At most so many at once. */
  open: number
}

export interface Throttle {
  /** Waits for a turn, in order of arrival, and answers how its end is told. Rejects with the signal's reason. */
  take(signal: AbortSignal): Promise<() => void>
  /** Hands out no turn for so long. */
  pause(ms: number): void
  /** Rejects all who wait. */
  refuseAll(reason: Error): void
}

interface Waiting {
  give: () => void
  refuse: (reason: unknown) => void
}

/**
 * How late a request may reach the source: only there it is counted. An answer proves that it has arrived, so a turn
 * that ended earlier counts from its end.
 */
const ARRIVAL_MS = 1_000

/** Makes callers wait so that a source sees no more requests than it allows. */
export function createThrottle({ requests, withinMs, open, timing }: ThrottleLimits & { timing: Timing }): Throttle {
  const queue = new Set<Waiting>()
  let counted: { until: number }[] = []
  let openNow = 0
  let pausedUntil = 0
  let wake = new AbortController()

  function start(): () => void {
    const turn = { until: timing.now() + ARRIVAL_MS + withinMs }
    counted.push(turn)
    openNow += 1
    return () => {
      turn.until = Math.min(turn.until, timing.now() + withinMs)
      openNow -= 1
      handOut()
    }
  }

  /** 0 when a turn is free, undefined when one is free only after another ended. */
  function freeInMs(): number | undefined {
    const now = timing.now()
    counted = counted.filter(({ until }) => until > now)
    if (openNow >= open) return undefined
    const roomAt = counted.length < requests ? now : Math.min(...counted.map(({ until }) => until))
    return Math.max(0, roomAt - now, pausedUntil - now)
  }

  function handOut(): void {
    wake.abort()
    for (const waiting of queue) {
      const ms = freeInMs()
      if (ms === undefined) return
      if (ms > 0) {
        handOutIn(ms)
        return
      }
      queue.delete(waiting)
      waiting.give()
    }
  }

  function handOutIn(ms: number): void {
    wake = new AbortController()
    timing.wait(ms, wake.signal).then(handOut, () => undefined)
  }

  return {
    async take(signal) {
      signal.throwIfAborted()
      return new Promise((resolve, reject) => {
        const leave = () => {
          queue.delete(waiting)
          reject(signal.reason)
          handOut()
        }
        const waiting: Waiting = {
          give() {
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
        handOut()
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
