import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Deps } from '../../deps.ts'
import { createClientAddress } from './client-address.ts'
import type { HttpEnv } from './http-env.ts'

/** Bounds the labels of the metrics: a client may send any of Node's 35 methods to any route. */
const MEASURED_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
const SANE_ID = /^[\w.:-]{1,128}$/

/** Gives each request an id, which its answer carries, and writes one log line and one measurement. */
export function observe({
  log,
  metrics,
  config,
}: Pick<Deps, 'log' | 'metrics' | 'config'>): MiddlewareHandler<HttpEnv> {
  const clientAddress = createClientAddress({ trustProxy: config.trustProxy, log })
  // These lines contain nothing to redact, and redaction costs more than writing them.
  const requestLog = log.child({}, { redact: [] })

  return async function observe(c: Context<HttpEnv>, next) {
    const startedAt = performance.now()
    const { incoming, outgoing } = c.env
    const sentId = c.req.header('x-request-id')
    const requestId = sentId !== undefined && SANE_ID.test(sentId) ? sentId : randomUUID()
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
      serviceKey: c.get('serviceKey'),
      ...(c.req.path.startsWith('/auth/') && { address: c.get('address'), emailHash: c.get('emailHash') }),
    })
  }
}
