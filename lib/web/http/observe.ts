import { randomUUID } from 'node:crypto'
import type { Context, MiddlewareHandler } from 'hono'
import type { Deps } from '../../deps.ts'
import { createRequestParts } from '../../infrastructure/observability/request-parts.ts'
import { createClientAddress } from './client-address.ts'
import type { HttpEnv } from './http-env.ts'

/** Bounds the labels of the metrics: a client may send any of Node's 35 methods to any route. */
const MEASURED_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'])
const SANE_ID = /^[\w.:-]{1,128}$/
/** Statuses that an attack collects: log lines of these refusals carry the address. */
const SUSPICIOUS = new Set([401, 403, 404, 429])

const round = (ms: number) => Math.round(ms * 100) / 100

/** Gives each request an id, one measurement and one log line. A slow request gets a second line after its answer has left. */
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

    const parts = createRequestParts()
    c.set('parts', parts)
    await next()

    const answeredAt = performance.now()
    const durationMs = answeredAt - startedAt
    const route = c.get('route') ?? 'unmatched'
    const { method } = c.req
    const { status } = c.res
    const labels = { method: MEASURED_METHODS.has(method) ? method : 'other', route, status }
    for (const metric of [metrics.httpDuration, metrics.requests]) metric.observe(labels, durationMs / 1000)
    const isSuccess = status >= 200 && status < 300
    const isOfAuth = c.req.path.startsWith('/auth/')
    const facts = {
      requestId,
      method,
      route,
      status,
      userId: c.get('user')?._id.toHexString(),
      serviceKey: c.get('serviceKey'),
      ...((isOfAuth || SUSPICIOUS.has(status)) && { address: c.get('address') }),
      ...(isOfAuth && { emailHash: c.get('emailHash') }),
    }
    if (!isSuccess || config.logRequests === 'all') requestLog.info({ ...facts, durationMs: round(durationMs) })
    if (isSuccess && config.logRequests === 'none') return
    const logSlow = () => {
      const closedAt = performance.now()
      if (closedAt - startedAt < config.slowRequestMs) return
      const measured = { ...parts.read(), sendingMs: Math.round(closedAt - answeredAt) }
      requestLog.warn({ ...facts, durationMs: round(closedAt - startedAt), parts: measured }, 'slow request')
    }
    // The answer is closed already when its client has left.
    if (outgoing.closed) logSlow()
    else outgoing.once('close', logSlow)
  }
}
