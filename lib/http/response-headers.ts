import type { Context, MiddlewareHandler } from 'hono'
import { cors } from 'hono/cors'
import type { Config } from '../config.ts'
import type { HttpEnv } from './http-env.ts'

/** The preflight answer of a path: what the SPA may send, for allowed origins only. */
export const createPreflight = ({ allowedOrigins }: Config): MiddlewareHandler<HttpEnv> =>
  cors({
    origin: (origin) => (allowedOrigins.has(origin) ? origin : null),
    credentials: true,
    allowMethods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowHeaders: ['Content-Type', 'x-socket-id', 'x-request-id'],
    maxAge: 600,
  })

/**
 * The headers of every answer: security, and CORS for allowed origins. They are set before the handler runs, so that an
 * answer of another kind (a page) can replace them, and because Hono builds a second response when they come after.
 */
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
    for (const [name, value] of fixed) c.header(name, value)
    const origin = c.req.header('origin')
    if (origin !== undefined && allowedOrigins.has(origin)) {
      c.header('Access-Control-Allow-Origin', origin)
      c.header('Access-Control-Allow-Credentials', 'true')
      c.header('Access-Control-Expose-Headers', 'x-request-id, Retry-After')
    }
    return next()
  }
}
