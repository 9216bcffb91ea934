import type { IncomingMessage } from 'node:http'
import type { DefaultEventsMap, Server } from 'socket.io'
import type { Deps } from '../lib/deps.ts'
import { disconnect } from './bounds.ts'
import type { ServedNamespace, ServedSocket, SocketData } from './define-namespace.ts'
import { createListener } from './requests.ts'
import { admit } from './session.ts'

export type RealtimeServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>

/**
 * Lets go of the handshake's request, which the engine would keep as long as the connection lives; cookie and origin admit
 * the next namespace on this connection.
 */
function forgetHandshake({ conn, handshake }: ServedSocket): void {
  const { cookie, origin } = conn.request.headers
  const headers = { ...(cookie !== undefined && { cookie }), ...(origin !== undefined && { origin }) }
  // Socket.IO reads nothing else of the request after the handshake, and its types want the whole.
  conn.request = { headers, connection: {} } as IncomingMessage
  Object.assign(handshake, { headers, query: {}, auth: {}, url: '' })
}

/** Serves a namespace: lets in whom it admits, answers its requests, counts its sockets. */
export function installNamespace(io: RealtimeServer, served: ServedNamespace, deps: Deps): void {
  const { facts, admits, onConnect, requests } = served
  const namespace = io.of(facts.path)
  const gauge = deps.metrics.sockets.labels({ namespace: facts.path })
  gauge.set(0)

  /** Connections with a socket on its way in. A second one would escape the bounds that are counted by socket. */
  const entering = new WeakSet<ServedSocket['conn']>()

  namespace.use(async (socket, next) => {
    const { conn } = socket
    if (entering.has(conn)) {
      disconnect(conn)
      return next(new Error('this connection asks for the namespace already'))
    }
    entering.add(conn)
    const refusal = await admit(deps, socket, admits).then(
      () => undefined,
      (error: Error) => error,
    )
    if (refusal !== undefined) entering.delete(conn)
    next(refusal)
  })

  const listeners = Object.entries(requests).flatMap(([event, handling]) => {
    const payload = facts.requests[event]?.payload
    return payload === undefined ? [] : [[event, createListener(deps, { event, payload, handling })] as const]
  })
  const onDisconnect = () => gauge.dec()

  namespace.on('connection', (socket) => {
    entering.delete(socket.conn)
    forgetHandshake(socket)
    gauge.inc()
    socket.on('disconnect', onDisconnect)
    for (const [event, listener] of listeners) socket.on(event, listener)
    onConnect?.(socket)
  })
}
