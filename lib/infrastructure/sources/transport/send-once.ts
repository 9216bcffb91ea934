import { Agent, request as send } from 'undici'
import { readAtMost } from '#lib/base/system/read-at-most'
import { readHeader } from '#lib/base/system/read-header'
import { VERSION } from '#lib/base/version'
import { SourceError, type SourceFailure, type SourceName } from './errors.ts'

export interface SourceRequest {
  method?: 'GET' | 'POST'
  url: string | URL
  headers?: Record<string, string>
  body?: string
  /** The statuses besides 2xx that the caller handles. Any other one is a SourceError. */
  answers?: readonly number[]
  /** False where a second attempt could do harm. */
  retry?: boolean
}

export interface SourceAnswer {
  status: number
  text: string
}

interface SendOnceOptions {
  source: SourceName
  publicUrl: string
  connections: number
  attemptMs: number
  maxBytes: number
}

/** The statuses of a second attempt. A proxy sends those from 520 when the source did not answer it. */
const RETRYABLE_STATUSES = new Set([408, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527])

export interface FailedAttempt {
  error: SourceError
  isRetryable: boolean
  retryAfterMs?: number | undefined
}

export type Attempt = { answer: SourceAnswer } | { failed: FailedAttempt }

/** Copies only the texts of an error, because a parser's error has the received bytes, in which a server may repeat a secret. */
function readCause(error: unknown): Error {
  if (!(error instanceof Error)) return new Error('no error')
  const code = 'code' in error ? [error.code] : []
  return new Error([error.name, ...code, error.message].filter(Boolean).join(': '))
}

/** Reads seconds or a date as milliseconds from now. */
function readRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1_000 : Date.parse(header) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined
}

export function createSendOnce({ source, publicUrl, connections, attemptMs, maxBytes }: SendOnceOptions) {
  const dispatcher = new Agent({ connections, connect: { timeout: attemptMs } })
  const userAgent = `gamehall/${VERSION} (+${publicUrl})`

  const fail = (failure: SourceFailure, message: string, cause?: unknown) =>
    new SourceError(source, failure, message, { cause })

  function toFailure(status: number): SourceError {
    if (status === 429) return fail('rate-limited', 'the source is throttling requests')
    if (status === 401 || status === 403) return fail('refused', 'the source refused the credentials')
    return fail('http-error', `the source answered with status ${status}`)
  }

  /** Sends a request. It rejects only when `ending` is aborted; every other fault is a failed attempt. */
  async function sendOnce({ url, answers = [], ...request }: SourceRequest, ending: AbortSignal): Promise<Attempt> {
    const late = AbortSignal.timeout(attemptMs)
    let hasBegun = false
    try {
      const { statusCode, headers, body } = await send(url, {
        dispatcher,
        method: request.method ?? 'GET',
        headers: { 'user-agent': userAgent, accept: 'application/json', ...request.headers },
        body: request.body ?? null,
        signal: AbortSignal.any([late, ending]),
      })
      hasBegun = true
      const bytes = await readAtMost(body, maxBytes)

      const isFine = statusCode >= 200 && statusCode < 300
      if (!isFine && !answers.includes(statusCode))
        return {
          failed: {
            error: toFailure(statusCode),
            isRetryable: RETRYABLE_STATUSES.has(statusCode),
            retryAfterMs: readRetryAfter(readHeader(headers, 'retry-after')),
          },
        }
      if (bytes === undefined)
        return { failed: { error: fail('malformed', 'the answer is too large'), isRetryable: false } }
      return { answer: { status: statusCode, text: bytes.toString('utf8') } }
    } catch (cause) {
      ending.throwIfAborted()
      const broken = hasBegun ? 'the source broke off its answer' : 'the source could not be reached'
      const message = late.aborted ? 'the source did not answer in time' : broken
      return { failed: { error: fail('timeout', message, readCause(cause)), isRetryable: true } }
    }
  }

  return sendOnce
}
