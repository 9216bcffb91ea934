import type { Context, MiddlewareHandler } from 'hono'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Deps } from '../../deps.ts'
import { findSessionUser, type SessionUser } from '../../domain/auth/session-user.ts'
import { withTimeout } from '../../infrastructure/concurrency/with-timeout.ts'
import type { HttpEnv } from './http-env.ts'
import type { LoadedFunction } from './load-functions.ts'

type Guard = MiddlewareHandler<HttpEnv>

/** The header with the id of the user whom the sender's page shows. */
export const VIEWER_HEADER = 'x-viewer-id'

/** Refuses a change that a page of another site sends with the reader's cookies. */
export const refuseCrossSite = (allowedOrigins: ReadonlySet<string>): Guard =>
  function refuseCrossSite(c, next) {
    const origin = c.req.header('origin')
    const isForeign =
      origin === undefined ? c.req.header('sec-fetch-site') === 'cross-site' : !allowedOrigins.has(origin)

    if (isForeign) throw new DomainError('FORBIDDEN', 'Requests from this site are not allowed')
    return next()
  }

/** Refuses a change when the page shows another user than the session's. */
function assertViewer(c: Context<HttpEnv>, { _id, userName }: SessionUser): void {
  const viewerId = c.req.header(VIEWER_HEADER)
  if (viewerId === undefined || viewerId.toLowerCase() === _id.toHexString()) return
  const message = `The session is that of ${userName}, and the page shows another user`
  throw new DomainError('CONFLICT', message, { issues: [{ path: VIEWER_HEADER, message }] })
}

/** Finds the user of the session cookie, and refuses every request that `auth` does not admit. */
export const requireSession = (
  deps: Deps,
  { method, definition: { auth } }: LoadedFunction,
  timeoutMs: number,
): Guard =>
  async function requireSession(c, next) {
    const startedAt = performance.now()
    const isFresh = auth === 'admin' || c.req.path.startsWith('/auth/')
    const user = await withTimeout(timeoutMs, findSessionUser(deps, c.req.header('cookie'), { isFresh }))
    c.set('timeoutMs', timeoutMs - (performance.now() - startedAt))
    // Set before any refusal, so that the log names the user.
    c.set('user', user)
    if (user === null && auth !== 'optional') throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
    if (user !== null && method !== 'GET') assertViewer(c, user)
    if (auth === 'admin' && !user?.isAdmin) throw new DomainError('FORBIDDEN', MESSAGES.forbidden)

    return next()
  }
