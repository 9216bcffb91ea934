import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import { RequestError } from '@hono/node-server'
import type { ErrorBody } from '../../contract/errors.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'

/** Creates an error in the usual shape for requests that never reach the router, or whose failure escapes it. */
export function createFallbackAnswer(statusCode: number, message: string) {
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

/** Answers unreadable addresses and hosts, and thrown values other than errors, which the router does not catch. */
export const createFallbackResponse = (log: Logger) =>
  function fallbackResponse(error: unknown): Response {
    const [status, message] =
      error instanceof RequestError ? [400, 'The address cannot be read'] : [500, 'Internal Server Error']
    const { requestId, headers, text } = createFallbackAnswer(status, message)

    if (error instanceof RequestError) log.info({ requestId, route: 'unreadable', status, reason: error.message })
    else log.error({ err: error, requestId }, 'request failed')
    return new Response(text, { status, headers })
  }
