import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { ErrorBody } from '../contract/errors.ts'

/** An error in the shape of all others, for what never reaches the router or escapes from it. */
export function createUnroutedAnswer(statusCode: number, message: string) {
  const requestId = randomUUID()
  const error = STATUS_CODES[statusCode] ?? 'Error'
  const body: ErrorBody = { statusCode, error, message, ...(statusCode >= 500 && { requestId }) }
  const headers = {
    'Content-Type': 'application/json',
    'x-request-id': requestId,
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
  }
  return { requestId, error, headers, text: JSON.stringify(body) }
}
