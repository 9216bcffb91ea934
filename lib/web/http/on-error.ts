import { STATUS_CODES } from 'node:http'
import type { Context } from 'hono'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { DomainError, type ErrorDetails } from '../../base/errors.ts'
import { REFUSAL_STATUSES } from '../../contract/endpoint.ts'
import type { ErrorBody } from '../../contract/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { describeOutage, isDatabaseUnreachable } from '../../infrastructure/db/is-database-unreachable.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import type { HttpEnv } from './http-env.ts'

interface Refusal {
  status: ContentfulStatusCode
  message: string
  details?: ErrorDetails
}

function toRefusal(error: unknown): Refusal {
  if (error instanceof DomainError)
    return { status: REFUSAL_STATUSES[error.code], message: error.message, details: error.details }
  if (isDatabaseUnreachable(error)) return { status: 503, message: MESSAGES.serviceUnavailable }
  return { status: 500, message: 'Internal Server Error' }
}

/** Creates the only handler that turns thrown values into answers. It logs faults in full. */
export const createOnError = (log: Logger) =>
  function onError(error: unknown, c: Context<HttpEnv>): Response {
    const { status, message, details } = toRefusal(error)
    const requestId = c.get('requestId')
    if (status === 500) log.error({ err: error, requestId }, 'request failed')
    if (status === 503 && !(error instanceof DomainError)) {
      log.warn({ requestId, reason: describeOutage(error) }, 'database unreachable')
    }

    if (details?.retryAfter !== undefined) c.header('Retry-After', String(details.retryAfter))
    if (details?.allow !== undefined) c.header('Allow', details.allow.join(', '))
    if (details?.size !== undefined) c.header('Content-Range', `bytes */${details.size}`)
    if (details?.authenticate !== undefined) c.header('WWW-Authenticate', details.authenticate)
    const body: ErrorBody = {
      statusCode: status,
      error: STATUS_CODES[status] ?? 'Error',
      message,
      ...(details?.issues && { issues: [...details.issues] }),
      ...(details?.duplicates && { duplicates: [...details.duplicates] }),
      ...(status >= 500 && { requestId }),
    }
    return c.json(body, status)
  }
