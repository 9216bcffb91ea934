import { setTimeout as sleep } from 'node:timers/promises'

/** The clock that waits between requests go by. */
export interface Timing {
  /** Milliseconds that only ever grow. */
  now(): number
  /** Rejects with the signal's reason. */
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
