import type { RefusalStatuses } from '../contract/endpoint.ts'
import type { ErrorBody } from '../contract/errors.ts'

/** Refuses the start. The person at the terminal reads the message without a stack, and the process exits with 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export type ErrorCode = keyof RefusalStatuses

export interface ErrorDetails {
  readonly issues?: Readonly<ErrorBody['issues']>
  /** Entries that a new one may be the same as, best first. `score` from 0 to 100 for a game, 1 for a character. */
  readonly duplicates?: Readonly<ErrorBody['duplicates']>
  /** Seconds until another attempt makes sense. */
  readonly retryAfter?: number
  readonly allow?: readonly string[]
  readonly size?: number
  /** True when the work had not begun, so that no write reached the database. */
  readonly isUnwritten?: boolean
  /** The accepted authentication scheme, when it is not the session. */
  readonly authenticate?: 'Bearer'
}

/** Refuses a request with a sentence for a person. Every other thrown error is a fault of the service. */
export class DomainError extends Error {
  override readonly name = 'DomainError'
  readonly code: ErrorCode
  readonly details: ErrorDetails

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }
}
