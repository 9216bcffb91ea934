import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server } from 'socket.io'
import { MESSAGES } from '../lib/contract/messages.ts'
import type { Deps } from '../lib/deps.ts'
import { SOCKET_PINGS } from '../lib/infrastructure/concurrency/timeouts.ts'
import { boundConnections, MESSAGE_MAX_BYTES } from './bounds.ts'
import type { SocketEmitter } from './emitter.ts'
import { installNamespace, type RealtimeServer } from './install-namespace.ts'
import { namespaces } from './namespaces.ts'
import { createPendingConnections, type PendingConnections } from './pending-connections.ts'
import { createUserSockets } from './user-sockets.ts'
import { WireAdapter } from './wire/wire-adapter.ts'
import { WireSocketServer } from './wire/wire-socket.ts'

export interface Realtime {
  io: RealtimeServer
  /** Closes every socket, so that its client reconnects, and the HTTP server with them. */
  close(): Promise<void>
}

export interface RealtimeDeps extends Deps {
  emit: SocketEmitter
}

const PATH = '/socket.io/'
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** JSONP is polling by script tag: cookies without CORS. Nothing but a page of another site would ask for it. */
const isJsonp = ({ url }: IncomingMessage) => new URL(url ?? '', 'http://localhost').searchParams.has('j')

function createServer(http: HttpServer, { config }: Deps, pending: PendingConnections): RealtimeServer {
  return new Server(http, {
    path: PATH,
    serveClient: false,
    pingInterval: SOCKET_PINGS.intervalMs,
    pingTimeout: SOCKET_PINGS.timeoutMs,
    maxHttpBufferSize: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
    // A compressed answer to a client that does not read would be held where its bytes cannot be counted.
    httpCompression: false,
    destroyUpgrade: false,
    adapter: WireAdapter,
    wsEngine: WireSocketServer,
    cors: { origin: [...config.allowedOrigins], credentials: true },
    allowRequest: (request, answer) => {
      if (pending.isFull(request)) answer(MESSAGES.tooManyRequests, false)
      else answer(null, !isJsonp(request))
    },
  })
}

/** Answers 404 to upgrades to any path but that of the sockets: nobody else would answer, or close the connection. */
function refuseUpgrade({ url }: IncomingMessage, socket: Duplex): void {
  if (url?.startsWith(PATH)) return
  socket.on('error', () => socket.destroy())
  // The HTTP server leaves the other half open, so ending alone would wait for the client to close it.
  socket.end(NOT_FOUND, () => socket.destroy())
}

/** Hangs the sockets on the HTTP server: the namespaces of this service under `/socket.io/`, nothing else. */
export function attachRealtime(
  http: HttpServer,
  deps: RealtimeDeps,
  { served = namespaces, pending = createPendingConnections(deps.config) } = {},
): Realtime {
  http.on('upgrade', refuseUpgrade)
  const io = createServer(http, deps, pending)
  // Before the engine's own listener, which tells nobody of the headers of its refusals.
  http.prependListener('request', ({ url }, answer) => {
    if (url?.startsWith(PATH)) answer.setHeader('X-Content-Type-Options', 'nosniff')
  })
  io.engine.on('connection', pending.add)
  const stopBounding = boundConnections(io)

  io.use((_socket, next) => next(new Error('Invalid namespace')))
  const bounds = { pending, addUserSocket: createUserSockets() }
  for (const namespace of served) installNamespace(io, namespace, deps, bounds)
  deps.emit.attach(io)

  return {
    io,
    async close() {
      deps.emit.attach(undefined)
      stopBounding()
      await io.close()
    },
  }
}
