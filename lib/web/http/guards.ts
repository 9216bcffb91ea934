import type { Context, MiddlewareHandler } from 'hono'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Deps } from '../../deps.ts'
import { recordAddress } from '../../domain/auth/record-address.ts'
import { assertNotSuspended, findSessionUser, type SessionUser } from '../../domain/auth/session-user.ts'
import { useServiceKey } from '../../domain/service-keys/use-service-key.ts'
import { withTimeout } from '../../infrastructure/concurrency/with-timeout.ts'
import type { HttpEnv } from './http-env.ts'
import type { LoadedFunction } from './load-functions.ts'

type Guard = MiddlewareHandler<HttpEnv>

const BEARER = /^Bearer +(.+)$/i

/** The header with the id of the user whom the sender's page shows. */
export const VIEWER_HEADER = 'x-viewer-id'

export const readBearerToken = (c: Context<HttpEnv>) => c.req.header('authorization')?.match(BEARER)?.[1]

/** Refuses a change that a page of another site sends with the reader's cookies. */
export const refuseCrossSite = (allowedOrigins: ReadonlySet<string>): Guard =>
  function refuseCrossSite(c, next) {
    const origin = c.req.header('origin')
    const isForeign =
      origin === undefined ? c.req.header('sec-fetch-site') === 'cross-site' : !allowedOrigins.has(origin)

    if (isForeign) throw new DomainError('FORBIDDEN', 'Requests from this site are not allowed')
    return next()
  }

function assertViewer(c: Context<HttpEnv>, { _id, userName }: SessionUser): void {
  const viewerId = c.req.header(VIEWER_HEADER)
  if (viewerId === undefined || viewerId.toLowerCase() === _id.toHexString()) return
  const message = `The session is that of ${userName}, and the page shows another user`
  throw new DomainError('CONFLICT', message, { issues: [{ path: VIEWER_HEADER, message }] })
}

async function requireSession(deps: Deps, c: Context<HttpEnv>, { method, definition: { auth } }: LoadedFunction) {
  const isFresh = auth === 'admin' || c.req.path.startsWith('/auth/')
  const user = await findSessionUser(deps, c.req.header('cookie'), { isFresh })
  // Set before any refusal, so that the log names the user.
  c.set('user', user)
  if (user !== null && deps.verifySiteToken) await recordAddress(deps, user._id, c.get('address'))
  if (user === null && auth !== 'optional') throw new DomainError('UNAUTHORIZED', MESSAGES.unauthorized)
  if (user !== null && method !== 'GET') assertViewer(c, user)
  if (auth === 'admin' && !user?.isAdmin) throw new DomainError('FORBIDDEN', MESSAGES.forbidden)
}

/** Refuses every request that has neither the session nor the service key that the endpoint admits. */
export const requireCaller = (deps: Deps, loaded: LoadedFunction, timeoutMs: number): Guard =>
  async function requireCaller(c, next) {
    const startedAt = performance.now()
    const { auth, scope } = loaded.definition
    const token = readBearerToken(c)
    const inTime = <T>(work: Promise<T>) => withTimeout(timeoutMs, c.get('parts').time('database', work))
    if (scope !== undefined && (token !== undefined || auth === 'key')) {
      c.set('user', null)
      const key = await inTime(useServiceKey(deps, { token, address: c.get('address') }))
      c.set('serviceKey', key.name)
      if (!key.scopes.includes(scope)) throw new DomainError('FORBIDDEN', MESSAGES.forbidden)
    } else await inTime(requireSession(deps, c, loaded))
    c.set('timeoutMs', timeoutMs - (performance.now() - startedAt))

    return next()
  }

/** Refuses a change of a suspended user. Runs when the body has arrived, because that may be long after the session check. */
export const refuseSuspended = (deps: Deps, timeoutMs: number): Guard =>
  async function refuseSuspended(c, next) {
    const user = c.get('user')
    if (user !== null) await withTimeout(c.get('timeoutMs') ?? timeoutMs, assertNotSuspended(deps, user))
    return next()
  }
