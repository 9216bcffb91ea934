import { ObjectId } from 'mongodb'
import { DomainError } from '../lib/base/errors.ts'
import { MESSAGES } from '../lib/contract/messages.ts'
import type { Deps } from '../lib/deps.ts'
import { findSessionUser } from '../lib/domain/auth/session-user.ts'
import type { ListOwner } from '../lib/domain/royal/royal-list.ts'
import { REQUEST_TIMEOUT_MS } from '../lib/infrastructure/concurrency/timeouts.ts'
import { withTimeout } from '../lib/infrastructure/concurrency/with-timeout.ts'
import { isDatabaseUnreachable } from '../lib/infrastructure/db/is-database-unreachable.ts'
import { wasDisconnected } from './bounds.ts'
import type { Admission, ServedSocket } from './define-namespace.ts'

type Admitting = Pick<Deps, 'config' | 'db' | 'log' | 'clock' | 'verifyToken' | 'verifySiteToken' | 'sessionUsers'>

/** Admits a socket, or throws the message of its `connect_error`. Foreign pages could use the cookie, so they are refused. */
export async function admit(deps: Admitting, { data, handshake }: ServedSocket, admits: Admission): Promise<void> {
  if (admits === 'anyone') return
  const { origin, cookie } = handshake.headers
  if (origin !== undefined && !deps.config.allowedOrigins.has(origin)) throw new Error(MESSAGES.unauthorized)

  const user = await withTimeout(
    REQUEST_TIMEOUT_MS,
    findSessionUser(deps, cookie, { isFresh: admits === 'admin' }),
  ).catch((error: unknown) => {
    if (!(error instanceof DomainError) && !isDatabaseUnreachable(error))
      deps.log.error({ err: error }, 'a session could not be read')
    // An answer of Unauthorized would sign the user out.
    throw new Error(MESSAGES.serviceUnavailable)
  })
  const { viewerId } = handshake.auth
  if (user === null || (viewerId !== undefined && viewerId !== user._id.toHexString()))
    throw new Error(MESSAGES.unauthorized)
  if (admits === 'admin' && !user.isAdmin) throw new Error(MESSAGES.forbidden)
  data.userId = user._id.toHexString()
  data.isAdmin = user.isAdmin
}

/** Reads the actor of a socket's requests, in a namespace that admits only users. */
export function readActor({ id, conn, data }: ServedSocket): ListOwner {
  if (data.userId === undefined) throw new Error('this namespace admits sockets without a session')
  return { user: { _id: new ObjectId(data.userId) }, socketId: id, isGone: () => wasDisconnected(conn) }
}
