import type { DefaultEventsMap, Server } from 'socket.io'
import type { z } from 'zod'
import { DomainError } from '../lib/base/errors.ts'
import type { Deps } from '../lib/deps.ts'
import { isAnswerLost } from '../lib/infrastructure/db/is-database-unreachable.ts'
import { disconnect, REQUESTS_MAX, wasDisconnected } from './bounds.ts'
import {
  type RequestHandling,
  type ServedNamespace,
  type ServedSocket,
  type SocketData,
  type UserSockets,
  userRoom,
} from './define-namespace.ts'
import type { PendingConnections } from './pending-connections.ts'
import { admit } from './session.ts'

const USER_SOCKETS_MAX = 100
/** Bytes of the unanswered requests of all sockets of a user. */
const USER_REQUESTS_MAX_BYTES = 1024 * 1024
/** The least memory of a waiting request besides its payload. */
const REQUEST_BYTES = 256

/** Bounds the number of sockets of a user. The returned function adds an admitted socket until it disconnects. */
export function createUserSockets(): (userId: string, socket: ServedSocket) => void {
  const users = new Map<string, UserSockets>()

  return function add(userId, socket) {
    const user: UserSockets = users.get(userId) ?? {
      sockets: new Set(),
      requestBytes: 0,
      release() {
        if (user.sockets.size === 0 && user.requestBytes === 0) users.delete(userId)
      },
    }
    users.set(userId, user)
    socket.data.user = user
    user.sockets.add(socket)
    socket.on('disconnect', () => {
      user.sockets.delete(socket)
      user.release()
    })
    const [oldest] = user.sockets
    if (oldest !== undefined && user.sockets.size > USER_SOCKETS_MAX) disconnect(oldest.conn, 'too-many-sockets')
  }
}

/** Counts a request until the caller calls the returned function. Null when the request disconnects its socket. */
function beginRequest({ data, conn }: ServedSocket, payload: unknown): (() => void) | null {
  const { user } = data
  const bytes = user === undefined ? 0 : REQUEST_BYTES + (JSON.stringify(payload) ?? '').length
  const unanswered = (data.requests ?? 0) + 1
  if (unanswered > REQUESTS_MAX) disconnect(conn, 'too-many-requests')
  else if (user !== undefined && user.requestBytes + bytes > USER_REQUESTS_MAX_BYTES) {
    const oldest = [...user.sockets].find((socket) => socket.data.requests)
    disconnect(oldest?.conn ?? conn, 'too-many-requests')
  }
  if (wasDisconnected(conn)) return null

  data.requests = unanswered
  if (user !== undefined) user.requestBytes += bytes
  return () => {
    data.requests = (data.requests ?? 0) - 1
    if (user === undefined) return
    user.requestBytes -= bytes
    user.release()
  }
}

type Ack = (reply: unknown) => void

const isAck = (value: unknown): value is Ack => typeof value === 'function'
const noAck = () => {}
const refuse = (error: string) => ({ ok: false, error })

/** Creates the listener for one request of all sockets. The listener answers every error of clients and of the service. */
function createListener(deps: Deps, event: string, schema: z.ZodType, handling: RequestHandling) {
  const { handle, refusal, failure } = handling

  function fail(error: unknown) {
    if (!(error instanceof DomainError) && !isAnswerLost(error)) {
      deps.log.error({ err: error, event }, 'a socket request failed')
    }
    return refuse(error instanceof DomainError && error.code === 'FORBIDDEN' ? error.message : failure)
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

  // Not async, because a waiting request would keep the raw arguments in memory.
  return function listen(this: ServedSocket, ...args: unknown[]): void {
    // Only an ack arrives as a function. JSON has no undefined, so a missing payload arrives as null.
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

export function installNamespace(
  io: RealtimeServer,
  served: ServedNamespace,
  deps: Deps,
  { pending, addUserSocket }: { pending: PendingConnections; addUserSocket: ReturnType<typeof createUserSockets> },
): void {
  const { facts, admits, requests, roomsOf = ({ userId }) => [userRoom(userId)] } = served
  const namespace = io.of(facts.path)
  const gauge = deps.metrics.sockets.labels({ namespace: facts.path })
  gauge.set(0)

  /** Connections with a socket under admission. A second socket at this time would escape the bounds that count sockets. */
  const entering = new WeakSet<ServedSocket['conn']>()

  namespace.use(async (socket, next) => {
    const { conn } = socket
    if (entering.has(conn)) {
      disconnect(conn, 'not-admitted')
      return next(new Error('this connection is already joining the namespace'))
    }
    entering.add(conn)
    const refusal = await admit(deps, socket, admits).then(
      () => undefined,
      (error: Error) => error,
    )
    if (refusal !== undefined) {
      entering.delete(conn)
      deps.metrics.handshakesRefused.inc({ reason: refusal.message })
    }
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
    const { query } = socket.handshake
    // Drops the handshake, which would stay in memory unread.
    Object.assign(socket, { handshake: NO_HANDSHAKE })
    const { userId, isAdmin = false } = socket.data
    if (userId !== undefined) addUserSocket(userId, socket)
    if (userId !== undefined && deps.emit.isDisconnected(userId)) disconnect(socket.conn, 'session-ended')
    if (userId !== undefined && admits === 'user') void socket.join(roomsOf({ userId, isAdmin }, query))
    gauge.inc()
    socket.on('disconnect', onDisconnect)
    for (const [event, listener] of listeners) socket.on(event, listener)
  })
}
