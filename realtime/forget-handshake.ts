import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ServedSocket } from './define-namespace.ts'
import { SmallMap } from './wire/small-map.ts'

/** The part of a request that Socket.IO reads again when a further namespace is opened on the same connection. */
interface KeptRequest {
  headers: { cookie?: string; origin?: string }
  connection: object
}

const NOTHING = Object.freeze({})
const ANONYMOUS: KeptRequest = { headers: NOTHING, connection: NOTHING }

function pickKeptHeaders({ headers: { cookie, origin } }: IncomingMessage): KeptRequest {
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
  socket.conn.request = pickKeptHeaders(socket.conn.request) as IncomingMessage
  Object.assign(socket.handshake, { headers: NOTHING, query: NOTHING, auth: NOTHING, url: '', time: '' })
}

/** Fields that Socket.IO keeps for a connection and its types keep private. */
interface Kept {
  acks: Map<number, unknown>
  client: {
    sockets: Map<string, unknown>
    nsps: Map<string, unknown>
    decoder: { _callbacks: Record<string, unknown[]> }
  }
}

/** Puts cheap maps in the place of those that hold one entry or none for nearly every socket. */
export function shrinkMaps(socket: ServedSocket): void {
  // No other way leads to these fields; Socket.IO reads and writes them as maps and no more.
  const kept = socket as unknown as Kept
  const { client } = kept
  kept.acks = new SmallMap(kept.acks)
  if (client.sockets.size > 1) return
  client.sockets = new SmallMap(client.sockets)
  client.nsps = new SmallMap(client.nsps)
  // A list that grew has room for sixteen more.
  for (const [event, listeners] of Object.entries(client.decoder._callbacks)) {
    client.decoder._callbacks[event] = listeners.slice()
  }
}

interface UpgradeAnswer {
  req?: unknown
  socket?: Duplex | null
}

/**
 * Engine middleware, after every other: an upgrade has no response, and the object that stands in for one would hold the
 * request as long as the connection lives. Nobody reads it once the headers are set, nor hears of its end.
 */
export function forgetUpgrade(_request: IncomingMessage, answer: UpgradeAnswer, next: () => void): void {
  if (!(answer instanceof ServerResponse)) {
    answer.req = undefined
    // It is the last that began to listen, and the only one to listen once; Node types no wrapper as a listener.
    const last = answer.socket?.rawListeners('close').at(-1)
    if (last !== undefined && 'listener' in last) answer.socket?.removeListener('close', last as unknown as () => void)
  }
  next()
}
