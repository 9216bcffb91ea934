import { type IncomingMessage, ServerResponse } from 'node:http'
import type { ServedSocket } from './define-namespace.ts'

/** What Socket.IO reads of a request when a further namespace is opened on the same connection. */
interface HandshakeRest {
  headers: { cookie?: string; origin?: string }
  connection: object
}

const NOTHING = Object.freeze({})
const ANONYMOUS: HandshakeRest = { headers: NOTHING, connection: NOTHING }

function restOf({ headers: { cookie, origin } }: IncomingMessage): HandshakeRest {
  if (cookie === undefined && origin === undefined) return ANONYMOUS
  return {
    headers: { ...(cookie !== undefined && { cookie }), ...(origin !== undefined && { origin }) },
    connection: NOTHING,
  }
}

/**
 * Lets go of the handshake's request, which the engine would keep as long as the connection lives. Only after the
 * socket was admitted; cookie and origin stay, since they admit the next namespace on this connection.
 */
export function forgetHandshake(socket: ServedSocket): void {
  // The engine types the whole request although everything but these headers is read at the handshake only.
  socket.conn.request = restOf(socket.conn.request) as IncomingMessage
  Object.assign(socket.handshake, { headers: NOTHING, query: NOTHING, url: '' })
}

/**
 * Engine middleware, after every other: an upgrade has no response, and the object that stands in for one would hold the
 * request as long as the connection lives. Nobody reads it once the headers are set.
 */
export function forgetUpgrade(_request: IncomingMessage, response: { req?: unknown }, next: () => void): void {
  if (!(response instanceof ServerResponse)) response.req = undefined
  next()
}
