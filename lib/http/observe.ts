import { randomUUID } from 'node:crypto'
import type { HttpBindings } from '@hono/node-server'
import type { Context, MiddlewareHandler } from 'hono'
import type { Deps } from '../deps.ts'
import { createClientAddress, isLocalRequest } from './client-address.ts'
import type { HttpEnv } from './http-env.ts'

const SANE_ID = /^[\w.:-]{1,128}$/

/** Names each request, answers with the name, and leaves one log line and one measurement. */
export function observe({
  log,
  metrics,
  config,
}: Pick<Deps, 'log' | 'metrics' | 'config'>): MiddlewareHandler<HttpEnv> {
  const clientAddress = createClientAddress({ trustProxy: config.trustProxy, log })

  return async function observe(c: Context<HttpEnv>, next) {
    const startedAt = performance.now()
    const given = c.req.header('x-request-id')
    const requestId = given !== undefined && SANE_ID.test(given) ? given : randomUUID()
    c.set('requestId', requestId)
    c.header('x-request-id', requestId)

    // The Node adapter is the only one this service runs on, and it always hands in the incoming message.
    const { incoming } = c.env as HttpBindings
    c.set('address', clientAddress(incoming))
    c.set('isLocal', isLocalRequest(incoming))

    await next()

    const durationMs = performance.now() - startedAt
    const route = c.get('route') ?? 'unmatched'
    const { method } = c.req
    const { status } = c.res
    metrics.httpDuration.observe({ method, route, status }, durationMs / 1000)
    log.info({
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
