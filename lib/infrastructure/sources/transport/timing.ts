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
    try {
      await sleep(ms, undefined, signal === undefined ? {} : { signal })
    } catch (error) {
      throw signal?.aborted ? signal.reason : error
    }
  },
}
