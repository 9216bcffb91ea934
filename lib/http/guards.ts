import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { findSessionUser } from '../auth/find-session-user.ts'
import { BODY_MAX_BYTES } from '../contract/limits.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Deps } from '../deps.ts'
import { DomainError } from '../errors.ts'
import type { Auth } from './define-function.ts'
import type { HttpEnv } from './http-env.ts'
import { withinDeadline } from './within-deadline.ts'

type Guard = MiddlewareHandler<HttpEnv>

const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Refuses a change that another site's page sends with the reader's cookies. */
export const refuseCrossSite = (allowedOrigins: ReadonlySet<string>): Guard =>
  function refuseCrossSite(c, next) {
    if (SAFE_METHODS.has(c.req.method)) return next()
    const origin = c.req.header('origin')
    const isForeign =
      origin === undefined ? c.req.header('sec-fetch-site') === 'cross-site' : !allowedOrigins.has(origin)

    if (isForeign) throw new DomainError('FORBIDDEN', 'Requests from this site are not allowed')
    return next()
  }

/** Finds the user of the session cookie and refuses whoever `auth` does not admit. */
export const requireSession = (deps: Deps, auth: Exclude<Auth, 'public'>): Guard =>
  async function requireSession(c, next) {
    const user = await withinDeadline(findSessionUser(deps, c.req.header('cookie')))
    if (user === null && auth !== 'optional') throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
    if (auth === 'admin' && !user?.isAdmin) throw new DomainError('FORBIDDEN', MESSAGES.forbidden)

    c.set('user', user)
    return next()
  }

const tooLarge = () => {
  throw new DomainError('TOO_LARGE', 'The body has more than 1 MB')
}

const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i

/** Refuses a body that is no JSON by its type, or too large, declared or not. */
export function requireJsonBody(): Guard {
  const limit = bodyLimit({ maxSize: BODY_MAX_BYTES, onError: tooLarge })

  return function requireJsonBody(c, next) {
    if (!JSON_TYPE.test(c.req.header('content-type')?.trim() ?? '')) {
      throw new DomainError('UNSUPPORTED_MEDIA_TYPE', 'Send the body as application/json')
    }
    return limit(c, next)
  }
}

/** Refuses a large body where none is read. */
export const refuseLargeBody: Guard = (c, next) =>
  Number(c.req.header('content-length') ?? 0) > BODY_MAX_BYTES ? tooLarge() : next()
