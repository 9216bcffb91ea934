import type { Context, MiddlewareHandler } from 'hono'
import { findSessionUser } from '../auth/session-user.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { BODY_MAX_BYTES } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import type { Auth } from './define-function.ts'
import type { HttpEnv } from './http-env.ts'

type Guard = MiddlewareHandler<HttpEnv>

const TOO_LARGE = 'The body has more than 1 MB'
const DISCARDED_MAX_BYTES = 8 * BODY_MAX_BYTES
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** Refuses a change that another site's page sends with the reader's cookies. */
export const refuseCrossSite = (allowedOrigins: ReadonlySet<string>): Guard =>
  function refuseCrossSite(c, next) {
    const origin = c.req.header('origin')
    const isForeign =
      origin === undefined ? c.req.header('sec-fetch-site') === 'cross-site' : !allowedOrigins.has(origin)

    if (isForeign) throw new DomainError('FORBIDDEN', 'Requests from this site are not allowed')
    return next()
  }

/** Finds the user of the session cookie; refuses everybody whom `auth` does not admit. */
export const requireSession = (deps: Deps, auth: Exclude<Auth, 'public'>, timeoutMs: number): Guard =>
  async function requireSession(c, next) {
    const startedAt = performance.now()
    const isFresh = auth === 'admin' || c.req.path.startsWith('/auth/')
    const user = await withTimeout(timeoutMs, findSessionUser(deps, c.req.header('cookie'), { isFresh }))
    c.set('timeoutMs', timeoutMs - (performance.now() - startedAt))
    // Before any refusal, so that the log names the user.
    c.set('user', user)
    if (user === null && auth !== 'optional') throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
    if (auth === 'admin' && !user?.isAdmin) throw new DomainError('FORBIDDEN', MESSAGES.forbidden)

    return next()
  }

function refuseDeclaredSize(c: Context<HttpEnv>): void {
  // The body is not touched: what was not read of it is drained by the adapter, and the connection stays usable.
  if (Number(c.req.header('content-length') ?? 0) > BODY_MAX_BYTES) throw new DomainError('TOO_LARGE', TOO_LARGE)
}

/** Reads a body without a declared size up to the limit, and some more, so that its sender gets to read the refusal. */
async function readUndeclared(c: Context<HttpEnv>, body: ReadableStream<Uint8Array>): Promise<void> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      size += chunk.length
      if (size <= BODY_MAX_BYTES) chunks.push(chunk)
      if (size > DISCARDED_MAX_BYTES) break
    }
  } catch {
    throw new DomainError('INVALID', 'The body ended early')
  }
  if (size > DISCARDED_MAX_BYTES) c.header('Connection', 'close')
  if (size > BODY_MAX_BYTES) throw new DomainError('TOO_LARGE', TOO_LARGE)
  c.req.raw = new Request(c.req.raw, { body: Buffer.concat(chunks) })
}

/** Refuses a body that is no JSON by its type, or too large, declared or not. */
export const requireJsonBody: Guard = async (c, next) => {
  if (!JSON_TYPE.test(c.req.header('content-type')?.trim() ?? '')) {
    throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')
  }
  refuseDeclaredSize(c)
  if (c.req.header('transfer-encoding') !== undefined && c.req.raw.body) await readUndeclared(c, c.req.raw.body)
  return next()
}

/** Refuses a large body where none is read. */
export const refuseLargeBody: Guard = (c, next) => {
  refuseDeclaredSize(c)
  return next()
}
