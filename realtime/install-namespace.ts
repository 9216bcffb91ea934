import type { DefaultEventsMap, Server } from 'socket.io'
import type { z } from 'zod'
import { DomainError } from '../lib/base/errors.ts'
import type { Deps } from '../lib/deps.ts'
import { isAnswerLost } from '../lib/infrastructure/db/is-database-unreachable.ts'
import { disconnect } from './bounds.ts'
import type { RequestHandling, ServedNamespace, ServedSocket, SocketData } from './define-namespace.ts'
import type { PendingConnections } from './pending-connections.ts'
import { userRoom } from './rooms.ts'
import { admit } from './session.ts'
import { beginRequest, type createUserSockets } from './user-sockets.ts'

type Ack = (reply: unknown) => void

const isAck = (value: unknown): value is Ack => typeof value === 'function'
const noAck = () => {}
const refuse = (error: string) => ({ ok: false, error })

/**
 * Creates the listener of one request for all sockets. It validates the payload, runs the handler, and answers through the
 * ack if the client sent one. It catches every error of clients and of the service.
 */
function createListener(deps: Deps, event: string, schema: z.ZodType, handling: RequestHandling) {
  const { handle, refusal, failure } = handling

  function fail(error: unknown) {
    if (!(error instanceof DomainError) && !isAnswerLost(error)) {
      deps.log.error({ err: error, event }, 'a socket request failed')
    }
    return refuse(failure)
  }

  async function answer(socket: ServedSocket, payload: unknown, ack: Ack): Promise<void> {
    const end = beginRequest(socket, payload)
    if (end === null) return
    const startedAt = performance.now()
    let reply: unknown
    try {
      reply = await handle({ payload, socket, deps })
    } catch (error) {
      if (isAnswerLost(error)) deps.feed.answerLost(startedAt)
      reply = fail(error)
    }
    end()
    ack(reply)
  }

  // Neither async nor a closure, because a waiting request would keep the raw arguments.
  return function listen(this: ServedSocket, ...args: unknown[]): void {
    // Only an ack arrives as a function. A missing payload before an ack arrives as null, because JSON has no undefined.
    const [payload] = args
    const last = args.at(-1)
    const ack = isAck(last) ? last : noAck
    try {
      const parsed = schema.safeParse(typeof payload === 'function' ? undefined : (payload ?? undefined))
      if (parsed.success) void answer(this, parsed.data, ack)
      else ack(refuse(refusal ?? parsed.error.issues[0]?.message ?? failure))
    } catch (error) {
      ack(fail(error))
    }
  }
}

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
