import type { IncomingMessage } from 'node:http'
import { pickSessionCookies } from '../lib/auth/session-user.ts'
import { PENDING_CONNECTION_MS } from '../lib/concurrency/timeouts.ts'
import type { Config } from '../lib/config.ts'
import { findClientAddress } from '../lib/http/client-address.ts'
import { addressKey } from '../lib/limits/address-key.ts'
import { disconnect } from './bounds.ts'
import { type Connection, webSocketOf } from './wire/internals.ts'

/** Connections of one address that nothing bounds otherwise: not admitted yet, or polling without a session. */
const PENDING_MAX = 200

export interface PendingConnections {
  /** Whether the address of a handshake has as many as it may. */
  isFull(request: IncomingMessage): boolean
  /** Counts a new connection until a namespace admits it, and disconnects it if that takes too long. */
  add(connection: Connection): void
  /**
   * Ends the waiting of a connection. One that polls without a session counts on: it is held without a TCP connection, so it
   * costs its client nothing.
   */
  admit(connection: Connection, options: { isSignedIn: boolean }): void
}

interface Pending {
  timer: NodeJS.Timeout
  release(): void
}

export function createPendingConnections(
  { trustProxy, allowedOrigins }: Config,
  { timeoutMs = PENDING_CONNECTION_MS } = {},
): PendingConnections {
  const counts = new Map<string, number>()
  const pending = new WeakMap<Connection, Pending>()
  const addressOf = (request: IncomingMessage) => addressKey(findClientAddress(request, { trustProxy }))

  /** Keeps what admits the connection to its namespaces: the engine holds the request as long as the connection lives. */
  function trimRequest({ headers: { cookie, origin } }: IncomingMessage): IncomingMessage {
    const headers = {
      cookie: pickSessionCookies(cookie),
      // A foreign origin may be of any length, and each of them is refused.
      origin: origin === undefined || allowedOrigins.has(origin) ? origin : 'null',
    }
    // Socket.IO reads no more of the request after the handshake; its types want the whole.
    return { headers, connection: {} } as IncomingMessage
  }

  return {
    isFull: (request) => (counts.get(addressOf(request)) ?? 0) >= PENDING_MAX,

    add(connection) {
      const address = addressOf(connection.request)
      connection.request = trimRequest(connection.request)
      counts.set(address, (counts.get(address) ?? 0) + 1)
      const timer = setTimeout(disconnect, timeoutMs, connection).unref()
      const release = () => {
        clearTimeout(timer)
        connection.off('close', release)
        connection.off('upgrade', release)
        pending.delete(connection)
        const left = (counts.get(address) ?? 0) - 1
        if (left > 0) counts.set(address, left)
        else counts.delete(address)
      }
      connection.once('close', release)
      pending.set(connection, { timer, release })
    },

    admit(connection, { isSignedIn }) {
      const waiting = pending.get(connection)
      if (waiting === undefined) return
      clearTimeout(waiting.timer)
      if (isSignedIn || webSocketOf(connection) !== undefined) waiting.release()
      else connection.once('upgrade', waiting.release)
    },
  }
}
