import type { Socket } from 'socket.io-client'
import type { MESSAGES } from '../contract/messages.ts'
import type { commentsNamespace } from '../contract/namespaces/comments.ts'
import type { conflictsNamespace } from '../contract/namespaces/conflicts.ts'
import type * as Events from '../contract/namespaces/namespace.ts'
import type { notificationsNamespace } from '../contract/namespaces/notifications.ts'
import type { royalNamespace } from '../contract/namespaces/royal.ts'
import { lostConnection } from './api-error.ts'
import type { CookieJar } from './cookie-jar.ts'
import { createStore, type Store } from './store.ts'

interface Namespaces {
  '/comments': typeof commentsNamespace
  '/royal': typeof royalNamespace
  '/notifications': typeof notificationsNamespace
  '/conflicts': typeof conflictsNamespace
}
export type NamespacePath = keyof Namespaces

type ServerEvents<N extends NamespacePath> = Events.ServerEvents<Namespaces[N]>
type ClientEvents<N extends NamespacePath> = Events.ClientEvents<Namespaces[N]>
type Payload<E> = E extends (payload: infer P, ...rest: never[]) => void ? P : never
type Ack<E> = E extends (payload: never, ack?: (answer: infer A) => void) => void ? A : never

/** `closed`: the service refuses this user, so no attempt is made until the session changes. */
export interface ConnectionState {
  status: 'connecting' | 'live' | 'lost' | 'closed'
  /** Time of the last message from the service in milliseconds since 1970; null before the first. */
  lastMessageAt: number | null
}

/** A typed socket of a namespace. All callers of a namespace share one connection. */
export interface HallSocket<N extends NamespacePath> {
  /** The value of `x-socket-id` while it is connected. */
  readonly id: string | undefined
  readonly connection: Store<ConnectionState>
  on<E extends keyof ServerEvents<N> & string>(
    event: E,
    listener: (event: Payload<ServerEvents<N>[E]>) => void,
  ): () => void
  /** Sends a request and answers its ack; throws an error of status 0 on a timeout. */
  request<E extends keyof ClientEvents<N> & string>(
    event: E,
    payload: Payload<ClientEvents<N>[E]>,
  ): Promise<Ack<ClientEvents<N>[E]>>
  /** Sends with a callback that runs in order with the events; a promise may settle after a later event. */
  send<E extends keyof ClientEvents<N> & string>(
    event: E,
    payload: Payload<ClientEvents<N>[E]>,
    onAnswer: (answer: Ack<ClientEvents<N>[E]> | null) => void,
  ): void
  /** Releases the socket; the connection ends with its last user. */
  close(): void
}

const ACK_TIMEOUT_MS = 10_000
const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 30_000
const UNAUTHORIZED: typeof MESSAGES.unauthorized = 'Unauthorized'
const SERVICE_UNAVAILABLE: typeof MESSAGES.serviceUnavailable = 'Service Unavailable'

interface SocketOptions {
  baseUrl: string
  socketPath: string
  cookies?: CookieJar | undefined
  /** Answers true when a session exists after all. */
  refresh(): Promise<boolean>
  /** The user that the page shows, because a socket of another user would change another list. */
  viewerId(): string | undefined
}

function openConnection(path: NamespacePath, { baseUrl, socketPath, cookies, refresh, viewerId }: SocketOptions) {
  const state = createStore<ConnectionState>({ status: 'connecting', lastMessageAt: null })
  const listeners = new Map<string, Set<(payload: unknown) => void>>()
  let lastMessageAt: number | null = null
  let isEnded = false
  let isRefreshed = false
  let failures = 0
  let retry: ReturnType<typeof setTimeout> | undefined
  /** WebSocket comes first: it needs one request for a connection instead of five. */
  const transports = ['websocket', 'polling']
  let opened: Socket | undefined

  const show = (status: ConnectionState['status']) => state.set({ status, lastMessageAt })
  const updateLastMessage = () => {
    lastMessageAt = Date.now()
  }

  /** Opens a new transport connection, because cookies are read from its handshake only. */
  function connectAfresh(socket: Socket) {
    if (isEnded) return
    // A lost connection stays lost until it is live again.
    if (state.get().status !== 'lost') show('connecting')
    socket.disconnect()
    const cookie = cookies?.header(socketPath)
    if (cookie !== undefined) socket.io.opts.extraHeaders = { cookie }
    socket.connect()
  }

  function connectLater(socket: Socket) {
    clearTimeout(retry)
    const waitMs = Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures) * (0.5 + Math.random() / 2)
    failures += 1
    retry = setTimeout(() => connectAfresh(socket), waitMs)
  }

  async function onRefused(socket: Socket, message: string) {
    // Socket.IO reconnects after a lost transport, but not after a refusal.
    if (socket.active || message === SERVICE_UNAVAILABLE) {
      // A proxy may block WebSockets, so the next attempt begins with the other transport.
      if (socket.active) transports.reverse()
      show(lastMessageAt === null ? 'connecting' : 'lost')
      if (!socket.active) connectLater(socket)
      return
    }
    if (message !== UNAUTHORIZED || isRefreshed) return show('closed')
    isRefreshed = true
    const hasSession = await refresh().catch(() => undefined)
    if (hasSession === undefined) {
      isRefreshed = false
      connectLater(socket)
    } else if (hasSession) connectAfresh(socket)
    else show('closed')
  }

  async function open(): Promise<void> {
    const { io } = await import('socket.io-client')
    const socket: Socket = io(`${new URL(baseUrl).origin}${path}`, {
      path: socketPath,
      forceNew: true,
      withCredentials: true,
      autoConnect: false,
      // The client shows every type of notification.
      ...(path === '/notifications' && { query: { types: 'all' } }),
      auth: (send) => send({ viewerId: viewerId() }),
      transports,
    })
    socket.on('connect', () => {
      updateLastMessage()
      failures = 0
      isRefreshed = false
      show('live')
    })
    socket.on('disconnect', (reason) => {
      if (isEnded) return
      if (reason !== 'io client disconnect') show('lost')
      if (reason === 'io server disconnect') connectLater(socket)
    })
    socket.on('connect_error', ({ message }) => void onRefused(socket, message))
    socket.onAny((event: string, payload: unknown) => {
      updateLastMessage()
      for (const listener of [...(listeners.get(event) ?? [])]) listener(payload)
    })
    socket.io.on('ping', updateLastMessage)
    opened = socket
    connectAfresh(socket)
  }

  // A bundle that lacks the library must not end a script.
  open().catch(() => show('closed'))

  return {
    state,
    id: () => (opened?.connected ? opened.id : undefined),
    on(event: string, listener: (payload: unknown) => void) {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
      return () => void all.delete(listener)
    },
    send(event: string, payload: unknown, onAnswer: (answer: unknown) => void) {
      const connected = opened
      // Socket.IO would send it after the next connect by default, when another user may be signed in.
      if (!connected?.connected) return onAnswer(null)
      connected.timeout(ACK_TIMEOUT_MS).emit(event, payload, (error: Error | null, answer: unknown) => {
        if (error === null) updateLastMessage()
        onAnswer(error === null ? answer : null)
      })
    },
    reconnect() {
      isRefreshed = false
      if (opened) connectAfresh(opened)
    },
    end() {
      isEnded = true
      clearTimeout(retry)
      opened?.disconnect()
      show('closed')
    },
  }
}

/** Creates `hall.socket`: one connection for each namespace while it has users. */
export function createSockets(options: SocketOptions) {
  const connections = new Map<NamespacePath, { connection: ReturnType<typeof openConnection>; users: number }>()

  function socket<N extends NamespacePath>(path: N): HallSocket<N> {
    const shared = connections.get(path) ?? { connection: openConnection(path, options), users: 0 }
    connections.set(path, shared)
    shared.users += 1
    const { connection } = shared
    const ends: (() => void)[] = []
    let isClosed = false

    const handle = {
      get id() {
        return connection.id()
      },
      connection: connection.state,
      on(event: string, listener: (payload: unknown) => void) {
        const end = connection.on(event, listener)
        ends.push(end)
        return end
      },
      send: connection.send,
      request: (event: string, payload: unknown) =>
        new Promise((resolve, reject) => {
          connection.send(event, payload, (answer) => {
            if (answer === null) reject(lostConnection(undefined))
            else resolve(answer)
          })
        }),
      close() {
        if (isClosed) return
        isClosed = true
        for (const end of ends) end()
        shared.users -= 1
        if (shared.users > 0) return
        if (connections.get(path) === shared) connections.delete(path)
        connection.end()
      },
    }
    // Events and acks are typed by the namespace's maps; at run time they are names and JSON.
    return handle as unknown as HallSocket<N>
  }

  return {
    socket,
    reconnect() {
      for (const [path, { connection }] of connections) if (path !== '/comments') connection.reconnect()
    },
    close() {
      for (const { connection } of connections.values()) connection.end()
      connections.clear()
    },
  }
}
