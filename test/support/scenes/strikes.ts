import type { Failpoint } from '../../../lib/concurrency/failpoint.ts'

export interface Strikes {
  /** Given to a service as its failpoint. */
  failpoint: Failpoint
  /** Strikes once, when a named step is reached after `after` earlier times; the step then ends as the strike does. */
  strikeAt(step: string, strike: () => unknown, options?: { after?: number }): { wasReached(): boolean; end(): void }
}

export function createStrikes(): Strikes {
  const armed = new Set<(step: string) => unknown>()

  return {
    async failpoint(step) {
      for (const reach of armed) await reach(step)
    },
    strikeAt(step, strike, { after = 0 } = {}) {
      let left = after
      let wasReached = false
      const reach = (reached: string) => {
        if (reached !== step || wasReached || left-- > 0) return
        wasReached = true
        return strike()
      }
      armed.add(reach)
      return { wasReached: () => wasReached, end: () => void armed.delete(reach) }
    },
  }
}
