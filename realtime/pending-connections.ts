import type { IncomingMessage } from 'node:http'
import type { Config } from '../lib/base/config.ts'
import { pickSessionCookies } from '../lib/domain/auth/session-user.ts'
import { PENDING_CONNECTION_MS } from '../lib/infrastructure/concurrency/timeouts.ts'
import { addressKey } from '../lib/infrastructure/limits/address-budget.ts'
import { findClientAddress } from '../lib/web/http/client-address.ts'
import { disconnect } from './bounds.ts'
import { type Connection, readQuery, webSocketOf } from './wire/internals.ts'

/** The most connections of one address to which no other bound applies: not yet admitted, or polling without a session. */
const PENDING_MAX = 200

export type PendingConnections = ReturnType<typeof createPendingConnections>

const NO_CONNECTION = Object.freeze({})
const NO_QUERY = Object.freeze({})
const ALL_TYPES = Object.freeze({ types: 'all' })

export function createPendingConnections(config: Config, { timeoutMs = PENDING_CONNECTION_MS } = {}) {
  const { trustProxy, allowedOrigins } = config
  const byAddress = new Map<string, Set<Connection>>()
  const waiting = new WeakMap<Connection, (isSignedIn: boolean) => void>()
  const toClientKey = (request: IncomingMessage) => addressKey(findClientAddress(request, { trustProxy }))

  /** Reduces a request to the parts that admission reads, because the engine keeps it as long as the connection. */
  function trimRequest(request: IncomingMessage): IncomingMessage {
    const { cookie, origin } = request.headers
    const headers = {
      cookie: pickSessionCookies({ config }, cookie),
      // Foreign origins may have any length, and all of them are refused.
      origin: origin === undefined || allowedOrigins.has(origin) ? origin : 'null',
    }
    const _query = readQuery(request).types === 'all' ? ALL_TYPES : NO_QUERY
    // Socket.IO reads only this after the handshake, but its types require a whole request.
    return { headers, connection: NO_CONNECTION, _query } as unknown as IncomingMessage
  }

  return {
    /** True when the address of a handshake has reached its limit. */
    isFull: (request: IncomingMessage) => (byAddress.get(toClientKey(request))?.size ?? 0) >= PENDING_MAX,

    /** Counts a new connection until a namespace admits it, and disconnects it if that takes too long. */
    add(connection: Connection): void {
      const address = toClientKey(connection.request)
      connection.request = trimRequest(connection.request)
      const open = byAddress.get(address) ?? new Set()
      byAddress.set(address, open.add(connection))
      let isAdmitted = false
      const timer = setTimeout(() => disconnect(connection, 'not-admitted'), timeoutMs).unref()

      function release(): void {
        clearTimeout(timer)
        connection.off('close', release).off('upgrade', onUpgrade)
        waiting.delete(connection)
        open.delete(connection)
        if (open.size === 0) byAddress.delete(address)
      }
      function onUpgrade(): void {
        if (isAdmitted) release()
      }
      connection.once('close', release).once('upgrade', onUpgrade)
      waiting.set(connection, (isSignedIn) => {
        isAdmitted = true
        clearTimeout(timer)
        if (isSignedIn || webSocketOf(connection) !== undefined) release()
      })
    },

    /** Ends the time limit of a connection. Polls without a session still count, because they cost a client nothing. */
    admit: (connection: Connection, { isSignedIn }: { isSignedIn: boolean }) => waiting.get(connection)?.(isSignedIn),
  }
}
