import type { Source } from '#lib/contract/sources'

export type SourceName = Source | 'indexnow'

/**
 * The reason why a call failed: `off` (not configured), `circuit-open` and `throttled` (no permit in time; nothing was sent),
 * `timeout` (no connection or no answer in time), `rate-limited` (429 to the end), `refused` (credentials), `http-error`
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

/** The failure of a call. The message is the second half of a sentence for a person, without a secret or an address. */
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

/** A failure of one entry: the source works, but has no such entry or sends it in another form. */
export class EntryError extends SourceError {
  constructor(source: SourceName, failure: 'not-found' | 'malformed', message: string, options?: ErrorOptions) {
    super(source, failure, message, options)
  }
}

/** The message for a page without the position of the next one. */
export const NO_PROGRESS = 'the source sent a page that leads nowhere'

/** True when nothing was sent for a temporary reason, which says nothing about the entry or the source. */
export const wasNotSent = (error: unknown): error is SourceError & { failure: 'circuit-open' | 'throttled' } =>
  error instanceof SourceError && (error.failure === 'circuit-open' || error.failure === 'throttled')
