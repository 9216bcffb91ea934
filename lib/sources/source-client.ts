import { startDeadline } from '../ops/deadline.ts'
import { createCircuit, type Outcome } from './circuit.ts'
import { type Attempt, createExchange, type SourceAnswer, type SourceRequest } from './exchange.ts'
import { SourceError, type SourceFailure, type SourceName } from './source-error.ts'
import { realTiming, type Timing } from './timing.ts'
import { createTurns, type TurnLimits } from './turns.ts'

interface AskedRequest extends Omit<SourceRequest, 'headers'> {
  /** A function is called when the turn has come, which may be long after the request was asked for. */
  headers?: Record<string, string> | (() => Promise<Record<string, string>>)
}

/** Sends one request in its turn, up to three times. @throws SourceError */
export type SendRequest = (request: AskedRequest) => Promise<SourceAnswer>

export interface SourceClient {
  /**
   * Runs one call of the source: its requests and the reading of their answers. What it throws as SourceError counts for the
   * circuit, so a malformed answer is to be noticed in here (`parseAnswer`). Rejects with the signal's reason when that ends it.
   * @throws SourceError
   */
  call<T>(work: (request: SendRequest) => Promise<T>, options?: { signal?: AbortSignal | undefined }): Promise<T>
  /** Milliseconds until another call makes sense: above 0 while the circuit is open. */
  closedForMs(): number
}

/** What tests make small. */
export interface TransportOptions {
  /** One attempt, from connecting to the last byte; less than a call, or silence never opens the circuit. */
  attemptMs?: number
  /** One call with all it waits for. */
  callMs?: number
  maxBytes?: number
  /** Before the second attempt; twice of it before the third. */
  retryMs?: number
  /** Failures in a row that open the circuit, and for how long. */
  circuit?: { failures?: number; openMs?: number }
  timing?: Timing
}

interface SourceClientOptions extends TransportOptions {
  source: SourceName
  /** How the outside reaches this service: sources read in the User-Agent whom to turn to. */
  publicUrl: string
  limits: TurnLimits
}

const ATTEMPTS = 3
const NEUTRAL_FAILURES = new Set(['off', 'open'])

/** The transport of one outside source: its limits, time-outs, retries and circuit. Redirects are not followed. */
export function createSourceClient(options: SourceClientOptions): SourceClient {
  const { source, publicUrl, limits, callMs = 15_000, retryMs = 500, timing = realTiming } = options
  const { attemptMs = 5_000, maxBytes = 10_000_000 } = options
  const attempt = createExchange({ source, publicUrl, connections: limits.open, attemptMs, maxBytes })
  const turns = createTurns({ ...limits, timing })
  const circuit = createCircuit({ ...options.circuit, timing })

  const fail = (failure: SourceFailure, message: string, cause?: unknown) =>
    new SourceError(source, failure, message, { cause })

  async function attemptInTurn({ headers = {}, ...request }: AskedRequest, ending: AbortSignal): Promise<Attempt> {
    const endTurn = await turns.take(ending)
    try {
      return await attempt({ ...request, headers: typeof headers === 'function' ? await headers() : headers }, ending)
    } finally {
      endTurn()
    }
  }

  async function call<T>(work: (request: SendRequest) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const leave = circuit.enter()
    if (leave === undefined) throw openError()

    const deadline = startDeadline(callMs, signal)
    // Who waits for a turn until the time is over has learnt nothing about the source.
    let wasTried = false
    let outcome: Outcome = 'neutral'

    const request: SendRequest = async (asked) => {
      for (let left = asked.retry === false ? 0 : ATTEMPTS - 1; ; left -= 1) {
        const result = await attemptInTurn(asked, deadline.signal)
        wasTried = true
        if ('answer' in result) return result.answer

        const { error, isPassing, retryAfterMs } = result.setback
        const backOffMs = retryMs * 2 ** (ATTEMPTS - 1 - left) * (1 + Math.random() / 2)
        const waitMs = Math.max(backOffMs, retryAfterMs ?? 0)
        if (!isPassing || left === 0 || waitMs >= deadline.msLeft()) throw error
        if (error.failure === 'throttled') turns.pause(waitMs)
        await timing.wait(waitMs, deadline.signal)
      }
    }

    try {
      const result = await Promise.race([work(request), rejectionOf(deadline.signal)])
      outcome = 'success'
      return result
    } catch (error) {
      if (signal?.aborted) throw signal.reason
      const isOver = deadline.signal.aborted && !(error instanceof SourceError)
      const failure = isOver ? fail('silent', 'the source did not answer in time', error) : error
      outcome = outcomeOf(failure)
      throw failure
    } finally {
      deadline.clear()
      leave(wasTried ? outcome : 'neutral')
    }
  }

  function openError(): SourceError {
    const seconds = Math.max(1, Math.ceil(circuit.closedForMs() / 1_000))
    return fail('open', `the source is not asked at present and will be tried again in ${seconds} s`)
  }

  return {
    async call(work, { signal } = {}) {
      signal?.throwIfAborted()
      return call(work, signal)
    },
    closedForMs: circuit.closedForMs,
  }
}

/** An answer that there is no such entry is one; a fault of the caller's own says nothing about the source. */
function outcomeOf(error: unknown): Outcome {
  if (!(error instanceof SourceError) || NEUTRAL_FAILURES.has(error.failure)) return 'neutral'
  return error.failure === 'unknown' ? 'success' : 'failure'
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}
