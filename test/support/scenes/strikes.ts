export function createStrikes() {
  const armed = new Set<(step: string) => unknown>()

  return {
    /** Given to a service as its failpoint. */
    async failpoint(step: string) {
      for (const reach of armed) await reach(step)
    },
    /** Strikes once, when a named step is reached after `after` earlier times; the step then ends as the strike does. */
    strikeAt(step: string, strike: () => unknown, { after = 0 } = {}) {
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
