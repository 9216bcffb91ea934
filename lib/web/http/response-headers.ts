import type { Context, MiddlewareHandler } from 'hono'
import type { Config } from '../../base/config.ts'
import type { HttpEnv } from './http-env.ts'

/** Lists the methods and headers that allowed origins may send, in the answer to a preflight request. */
export const createPreflight = ({ allowedOrigins }: Config): MiddlewareHandler<HttpEnv> =>
  function preflight(c, next) {
    const origin = c.req.header('origin')
    if (origin !== undefined && allowedOrigins.has(origin)) {
      c.header('Access-Control-Allow-Methods', 'GET, HEAD, POST, PUT, PATCH, DELETE')
      c.header('Access-Control-Allow-Headers', 'Content-Type, x-socket-id, x-request-id, x-user-id, x-viewer-id')
      c.header('Access-Control-Max-Age', '600')
    }
    return next()
  }

/** Sets the headers of every answer on Node's object, because a `Headers` object costs as much as the routing. */
export function responseHeaders({ allowedOrigins, publicUrl }: Config): MiddlewareHandler<HttpEnv> {
  const fixed = Object.entries({
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Origin-Agent-Cluster': '?1',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    ...(publicUrl.startsWith('https:') && { 'Strict-Transport-Security': 'max-age=31536000' }),
  })

  return function responseHeaders(c: Context<HttpEnv>, next) {
    const { outgoing } = c.env
    for (const [name, value] of fixed) outgoing.setHeader(name, value)
    // Pages of the site, of another origin, show these images.
    if (c.req.path.startsWith('/files/')) outgoing.setHeader('Cross-Origin-Resource-Policy', 'cross-origin')
    const origin = c.req.header('origin')
    if (origin !== undefined && allowedOrigins.has(origin)) {
      outgoing.setHeader('Access-Control-Allow-Origin', origin)
      outgoing.setHeader('Access-Control-Allow-Credentials', 'true')
      outgoing.setHeader('Access-Control-Expose-Headers', 'x-request-id, Retry-After')
    }
    return next()
  }
}
