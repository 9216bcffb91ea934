import { RequestError } from '@hono/node-server'
import type { Logger } from '../observability/log.ts'
import { createUnroutedAnswer } from './unrouted-answer.ts'

/**
 * Answers what never reaches the router, an address or a host that cannot be read, and what the router does not catch,
 * something thrown that is no error.
 */
export const createFallbackResponse = (log: Logger) =>
  function lastResort(error: unknown): Response {
    const [status, message] =
      error instanceof RequestError ? [400, 'The address cannot be read'] : [500, 'Internal Server Error']
    const { requestId, headers, text } = createUnroutedAnswer(status, message)

    if (error instanceof RequestError) log.info({ requestId, route: 'unreadable', status, reason: error.message })
    else log.error({ err: error, requestId }, 'a request failed')
    return new Response(text, { status, headers })
  }
