import { setTimeout as sleep } from 'node:timers/promises'
import { RETRY_PAUSES } from './timeouts.ts'
import { unlessAborted } from './unless-aborted.ts'

interface RetryOptions {
  /** Ends the retries, the running attempt included. */
  stop: AbortSignal
  isTemporary(error: unknown): boolean
}

/**
 * Retries until an attempt succeeds, with exponential, jittered pauses.
 * @throws what the last attempt threw; the signal's reason when none has failed before it
 */
export async function retry<T>(attempt: () => Promise<T>, { stop, isTemporary }: RetryOptions): Promise<T> {
  let failure: unknown
  for (let pauseMs = RETRY_PAUSES.firstMs; ; pauseMs = Math.min(pauseMs * 2, RETRY_PAUSES.longestMs)) {
    try {
      stop.throwIfAborted()
      return await unlessAborted(stop, attempt())
    } catch (error) {
      if (stop.aborted) throw failure ?? stop.reason
      if (!isTemporary(error)) throw error
      failure = error
    }
    await sleep(pauseMs * (0.5 + Math.random() / 2), undefined, { signal: stop }).catch(() => {
      throw failure
    })
  }
}
