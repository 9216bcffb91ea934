import { SOURCE_TIMEOUTS } from '../../concurrency/timeouts.ts'
import { createCircuit, type Outcome } from './circuit.ts'
import { EntryError, SourceError, type SourceFailure, type SourceName, wasNotSent } from './errors.ts'
import { createSendOnce, type FailedAttempt, type SourceAnswer, type SourceRequest } from './send-once.ts'
import { createThrottle, type ThrottleLimits } from './throttle.ts'
import { realTiming, type Timing } from './timing.ts'

interface RequestOptions {
  signal?: AbortSignal | undefined
  isBackground?: boolean | undefined
}

export type SourceClient = ReturnType<typeof createSourceClient>

export interface TransportOptions {
  limits?: ThrottleLimits
  attemptMs?: number
  callMs?: number
  permitMs?: number
  maxBytes?: number
  retryMs?: number
  /** Failures in a row that open the circuit, and for how long. */
  circuit?: { failures?: number; openMs?: number }
  timing?: Timing
}

interface SourceClientOptions extends TransportOptions {
  source: SourceName
  /** The address of this service, for the User-Agent. */
  publicUrl: string
  limits: ThrottleLimits
}

const ATTEMPTS = 3

/** The transport of one outside source: its limits, timeouts, retries and circuit. Redirects are not followed. */
export function createSourceClient(options: SourceClientOptions) {
  const {
    source,
    publicUrl,
    limits,
    retryMs = SOURCE_TIMEOUTS.retryMs,
    maxBytes = 10_000_000,
    timing = realTiming,
  } = options
  const { attemptMs, callMs, permitMs } = { ...SOURCE_TIMEOUTS, ...options }
  const sendOnce = createSendOnce({ source, publicUrl, connections: limits.open, attemptMs, maxBytes })
  const throttle = createThrottle({ ...limits, timing })
  const circuit = createCircuit({ ...options.circuit, timing, onOpen: () => throttle.refuseAll(openError()) })

  const fail = (failure: SourceFailure, message: string, cause?: unknown) =>
    new SourceError(source, failure, message, { cause })

  /** Delays all calls as the source demands: the throttle waits for a short pause, a long one opens the circuit. */
  function pauseSource({ error, retryAfterMs = 0 }: FailedAttempt, backOffMs: number): void {
    if (retryAfterMs >= callMs) circuit.open(Math.min(retryAfterMs, SOURCE_TIMEOUTS.restMs))
    else if (retryAfterMs > 0 || error.failure === 'rate-limited') throttle.pause(Math.max(retryAfterMs, backOffMs))
  }

  const outOfTime = {
    permit: (cause: unknown) => fail('throttled', 'the source is busy with other requests', cause),
    source: (cause: unknown) => fail('timeout', 'the source did not answer in time', cause),
  }

  /**
   * Sends a request as soon as the throttle permits it, with two retries, and reads its answer. A SourceError thrown by `read`
   * counts for the circuit, unless it is an EntryError.
   * @throws SourceError, what `read` throws, or the reason of the signal
   */
  async function request<T>(
    sent: SourceRequest,
    read: (answer: SourceAnswer) => T,
    { signal, isBackground }: RequestOptions = {},
  ): Promise<T> {
    signal?.throwIfAborted()
    const pass = circuit.enter()
    if (pass === undefined) throw openError()
    /** The remaining time. The wait for permits counts apart, because a long queue is not the source's fault. */
    const msLeft = { permit: permitMs, source: callMs }
    let lastFailure: SourceError | undefined
    let outcome: Outcome = 'neutral'

    async function within<R>(part: keyof typeof msLeft, run: (ending: AbortSignal) => Promise<R>): Promise<R> {
      const startedAt = performance.now()
      const late = AbortSignal.timeout(Math.max(0, Math.ceil(msLeft[part])))
      try {
        return await run(AbortSignal.any(signal === undefined ? [late] : [late, signal]))
      } catch (error) {
        throw late.aborted && !(error instanceof SourceError) ? outOfTime[part](error) : error
      } finally {
        msLeft[part] -= performance.now() - startedAt
      }
    }

    async function attempt(backOffMs: number) {
      const release = await within('permit', (ending) => throttle.take(ending, { isBackground }))
      try {
        const result = await within('source', (ending) => sendOnce(sent, ending))
        // The pause begins before the release, which would send the next request of the queue.
        if ('failed' in result && result.failed.isRetryable) pauseSource(result.failed, backOffMs)
        return result
      } finally {
        release()
      }
    }

    const send = async (): Promise<SourceAnswer> => {
      for (let left = sent.retry === false ? 0 : ATTEMPTS - 1; ; left -= 1) {
        if (pass.isStale()) throw openError()
        const backOffMs = retryMs * 2 ** (ATTEMPTS - 1 - left) * (1 + Math.random() / 2)
        const result = await attempt(backOffMs)
        if ('answer' in result) return result.answer

        const { error, isRetryable, retryAfterMs = 0 } = result.failed
        lastFailure = error
        const waitMs = Math.max(backOffMs, retryAfterMs)
        if (!isRetryable || left === 0 || waitMs >= msLeft.source) throw error
        await within('source', (ending) => timing.wait(waitMs, ending))
      }
    }

    try {
      const result = read(await send())
      outcome = 'success'
      return result
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const failure = wasNotSent(error) ? (lastFailure ?? error) : error
      outcome = toOutcome(failure)
      throw failure
    } finally {
      pass.end(outcome)
    }
  }

  function openError(): SourceError {
    const seconds = Math.max(1, Math.ceil(circuit.openForMs() / 1_000))
    return fail('circuit-open', `the source is not asked at present and will be tried again in ${seconds} s`)
  }

  return {
    request,
    openForMs: circuit.openForMs,
  }
}

/** Judges the source by the error of a request. An answer about one entry is a success, and an error of the caller is neutral. */
function toOutcome(error: unknown): Outcome {
  if (!(error instanceof SourceError) || error.failure === 'off' || wasNotSent(error)) return 'neutral'
  return error instanceof EntryError ? 'success' : 'failure'
}
