import { setTimeout as sleep } from 'node:timers/promises'
import { RETRY_PAUSES } from './timeouts.ts'
import { unlessAborted } from './unless-aborted.ts'

interface RetryOptions {
  /** Aborted when no attempt is to begin, and none to be waited for. */
  stop: AbortSignal
  isTemporary(error: unknown): boolean
}

/**
 * Makes attempts until one succeeds, with growing pauses that differ from caller to caller.
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
