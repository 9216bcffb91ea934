import { setTimeout as sleep } from 'node:timers/promises'

/** The clock of the waits between requests. */
export interface Timing {
  /** Reads milliseconds that never decrease. */
  now(): number
  /** Waits, and rejects with the signal's reason when it aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>
}

export const realTiming: Timing = {
  now: () => performance.now(),

  async wait(ms, signal) {
    await sleep(ms, undefined, { ...(signal && { signal }) }).catch((error: unknown) => {
      throw signal?.aborted ? signal.reason : error
    })
  },
}
