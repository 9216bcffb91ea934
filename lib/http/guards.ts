import type { MiddlewareHandler } from 'hono'
import { findSessionUser } from '../auth/session-user.ts'
import { withTimeout } from '../concurrency/with-timeout.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import type { Auth } from './define-function.ts'
import type { HttpEnv } from './http-env.ts'

type Guard = MiddlewareHandler<HttpEnv>

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
