import type { DefaultEventsMap, Server } from 'socket.io'
import type { Deps } from '../lib/deps.ts'
import { disconnect } from './bounds.ts'
import type { ServedNamespace, ServedSocket, SocketData } from './define-namespace.ts'
import type { PendingConnections } from './pending-connections.ts'
import { createListener } from './requests.ts'
import { userRoom } from './rooms.ts'
import { admit } from './session.ts'
import type { createUserSockets } from './user-sockets.ts'

export type RealtimeServer = Server<DefaultEventsMap, DefaultEventsMap, DefaultEventsMap, SocketData>

const NO_HANDSHAKE = Object.freeze({ headers: {}, query: {}, auth: {} })

/** Serves a namespace: admits sockets, answers requests, counts sockets. */
export function installNamespace(
  io: RealtimeServer,
  served: ServedNamespace,
  deps: Deps,
  { pending, addUserSocket }: { pending: PendingConnections; addUserSocket: ReturnType<typeof createUserSockets> },
): void {
  const { facts, admits, requests } = served
  const namespace = io.of(facts.path)
  const gauge = deps.metrics.sockets.labels({ namespace: facts.path })
  gauge.set(0)

  /** Connections with a socket being admitted. A second socket would escape the bounds that count sockets. */
  const entering = new WeakSet<ServedSocket['conn']>()

  namespace.use(async (socket, next) => {
    const { conn } = socket
    if (entering.has(conn)) {
      disconnect(conn)
      return next(new Error('this connection is already joining the namespace'))
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
    return payload === undefined ? [] : [[event, createListener(deps, event, payload, handling)] as const]
  })
  const onDisconnect = () => gauge.dec()

  namespace.on('connection', (socket) => {
    entering.delete(socket.conn)
    pending.admit(socket.conn, { isSignedIn: socket.data.userId !== undefined })
    // Drops the handshake, which nothing reads any more and the socket would keep.
    Object.assign(socket, { handshake: NO_HANDSHAKE })
    const { userId } = socket.data
    if (userId !== undefined) addUserSocket(userId, socket)
    if (userId !== undefined && admits === 'user') void socket.join(userRoom(userId))
    gauge.inc()
    socket.on('disconnect', onDisconnect)
    for (const [event, listener] of listeners) socket.on(event, listener)
  })
}
