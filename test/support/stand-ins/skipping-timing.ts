import type { Timing } from '#lib/infrastructure/sources/transport/timing'

/** A clock that stands still until somebody waits, and is then at the end of the wait at once. */
export function createSkippingTiming(): Timing {
  let now = 0

  return {
    now: () => now,
    async wait(ms, signal) {
      signal?.throwIfAborted()
      now += ms
    },
  }
}
