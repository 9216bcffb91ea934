import type { Source } from '#lib/contract/sources'

export type SourceName = Source | 'indexnow'

/**
 * Why a source gave nothing: `off` (not configured), `circuit-open` and `throttled` (no permit in time), by which nothing was
 * sent, `timeout` (no connection or no answer in time), `rate-limited` (429 to the end), `refused` (credentials), `http-error`
 * (any other status), `malformed` (an answer of another shape), `not-found` (the source has no such entry).
 */
export type SourceFailure =
  | 'off'
  | 'circuit-open'
  | 'throttled'
  | 'timeout'
  | 'rate-limited'
  | 'refused'
  | 'http-error'
  | 'malformed'
  | 'not-found'

/** Its message is the second half of a sentence for a person, without a secret or an address. */
export class SourceError extends Error {
  override readonly name = 'SourceError'
  readonly source: SourceName
  readonly failure: SourceFailure

  constructor(source: SourceName, failure: SourceFailure, message: string, options?: ErrorOptions) {
    super(message, options)
    this.source = source
    this.failure = failure
  }
}

/** An answer about one entry: the source works, but has no such entry or describes it in another form. */
export class EntryError extends SourceError {
  constructor(source: SourceName, failure: 'not-found' | 'malformed', message: string, options?: ErrorOptions) {
    super(source, failure, message, options)
  }
}

/** The message for a page without the position of the next one. */
export const NO_PROGRESS = 'the source sent a page that leads nowhere'

/** True when nothing was sent, for a reason that will pass: it says nothing about the entry, nor about the source. */
export const wasNotSent = (error: unknown): error is SourceError & { failure: 'circuit-open' | 'throttled' } =>
  error instanceof SourceError && (error.failure === 'circuit-open' || error.failure === 'throttled')
