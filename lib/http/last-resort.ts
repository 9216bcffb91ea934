import { randomUUID } from 'node:crypto'
import { RequestError } from '@hono/node-server'
import type { ErrorBody } from '../contract/errors.ts'
import type { Logger } from '../ops/log.ts'

/**
 * Answers what never reaches the router, an address or a host that cannot be read, and what the router does not catch,
 * something thrown that is no error.
 */
export const createLastResort = (log: Logger) =>
  function lastResort(error: unknown): Response {
    const requestId = randomUUID()
    const headers = { 'x-request-id': requestId, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' }
    const answer = (body: ErrorBody) => Response.json(body, { status: body.statusCode, headers })

    if (error instanceof RequestError) {
      log.info({ requestId, route: 'unreadable', status: 400, reason: error.message })
      return answer({ statusCode: 400, error: 'Bad Request', message: 'The address cannot be read' })
    }
    log.error({ err: error, requestId }, 'a request failed')
    const fault = 'Internal Server Error'
    return answer({ statusCode: 500, error: fault, message: fault, requestId })
  }
