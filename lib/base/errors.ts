import type { RefusalStatuses } from '../contract/endpoint.ts'

/** The start is refused. The message is for the person at the terminal; it is printed without a stack and exits 1. */
export class StartError extends Error {
  override readonly name = 'StartError'
}

export type ErrorCode = keyof RefusalStatuses

/** `score` from 0 to 100 for a game; 1 for a character, which is the same or not. */
interface Duplicate {
  _id: string
  name: string
  slug: string
  score: number
}

export interface ErrorDetails {
  readonly issues?: readonly { path: string; message: string }[]
  /** Entries of the catalogue that a new one may be the same as, best first. */
  readonly duplicates?: readonly Duplicate[]
  /** Seconds until another attempt makes sense. */
  readonly retryAfter?: number
  /** Methods that the path does have. */
  readonly allow?: readonly string[]
  /** Bytes of the file that has no such part. */
  readonly size?: number
  /** Whether the work had not begun, so that the database was asked to write nothing. */
  readonly isUnwritten?: boolean
  /** The scheme that would have been let in, where it is not the session. */
  readonly authenticate?: 'Bearer'
}

/** A refusal with a sentence for a person; everything else that is thrown is a fault of the service. */
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
