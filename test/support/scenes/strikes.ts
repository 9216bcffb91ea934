export function createStrikes() {
  const armed = new Set<(step: string) => unknown>()

  return {
    /** The failpoint of a service. */
    async failpoint(step: string) {
      for (const reach of armed) await reach(step)
    },
    /** Strikes once, at a step that was passed `after` times before. The step then ends as the strike does. */
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
