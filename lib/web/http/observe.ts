import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Deps } from '../../deps.ts'
import { createClientAddress } from './client-address.ts'
import type { HttpEnv } from './http-env.ts'

/** Labels of the metrics are bounded: a client may send any of Node's 35 methods to any route. */
const MEASURED_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
const SANE_ID = /^[\w.:-]{1,128}$/

/** Names each request, answers with the name, and leaves one log line and one measurement. */
export function observe({
  log,
  metrics,
  config,
}: Pick<Deps, 'log' | 'metrics' | 'config'>): MiddlewareHandler<HttpEnv> {
  const clientAddress = createClientAddress({ trustProxy: config.trustProxy, log })
  // Nothing that has to be taken out stands in these lines, and to look for it costs more than to write them.
  const requestLog = log.child({}, { redact: [] })

  return async function observe(c: Context<HttpEnv>, next) {
    const startedAt = performance.now()
    const { incoming, outgoing } = c.env
    const given = c.req.header('x-request-id')
    const requestId = given !== undefined && SANE_ID.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    outgoing.setHeader('x-request-id', requestId)

    c.set('address', clientAddress(incoming))

    await next()

    const durationMs = performance.now() - startedAt
    const route = c.get('route') ?? 'unmatched'
    const { method } = c.req
    const { status } = c.res
    const labels = { method: MEASURED_METHODS.has(method) ? method : 'other', route, status }
    for (const metric of [metrics.httpDuration, metrics.requests]) metric.observe(labels, durationMs / 1000)
    requestLog.info({
      requestId,
      method,
      route,
      status,
      durationMs: Math.round(durationMs * 100) / 100,
      userId: c.get('user')?._id.toHexString(),
      ...(c.req.path.startsWith('/auth/') && { address: c.get('address'), emailHash: c.get('emailHash') }),
    })
  }
}
