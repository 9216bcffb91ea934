import type { Server as HttpServer, IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { Server } from 'socket.io'
import { MESSAGES } from '../lib/contract/messages.ts'
import type { Deps } from '../lib/deps.ts'
import { SOCKET_PINGS } from '../lib/infrastructure/concurrency/timeouts.ts'
import { boundConnections, DISCONNECTED, MESSAGE_MAX_BYTES } from './bounds.ts'
import type { SocketEmitter } from './emitter.ts'
import { createUserSockets, installNamespace, type RealtimeServer } from './install-namespace.ts'
import { namespaces } from './namespaces.ts'
import { createPendingConnections, type PendingConnections } from './pending-connections.ts'
import { WireAdapter } from './wire/wire-adapter.ts'
import { WireSocketServer } from './wire/wire-socket.ts'

export interface RealtimeDeps extends Deps {
  emit: SocketEmitter
}

const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

/** True for JSONP, polling by script tag, which sends cookies without CORS. Only pages of other sites would use it. */
const isJsonp = ({ url }: IncomingMessage) => new URL(url ?? '', 'http://localhost').searchParams.has('j')

function createServer(http: HttpServer, { config }: Deps, pending: PendingConnections): RealtimeServer {
  return new Server(http, {
    path: config.socketPath,
    serveClient: false,
    pingInterval: SOCKET_PINGS.intervalMs,
    pingTimeout: SOCKET_PINGS.timeoutMs,
    maxHttpBufferSize: MESSAGE_MAX_BYTES,
    perMessageDeflate: false,
    // Compression buffers an unread answer where its bytes cannot be counted.
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

/** Answers 404 to upgrades to any other path than that of the sockets, because no other listener answers or closes them. */
function refuseUpgrade(path: string, { url }: IncomingMessage, socket: Duplex): void {
  if (url?.startsWith(path)) return
  socket.on('error', () => socket.destroy())
  // Destroys the socket, because the HTTP server leaves it half open until the client closes it.
  socket.end(NOT_FOUND, () => socket.destroy())
}

function countRefusals({ engine }: RealtimeServer, { handshakesRefused, socketsDisconnected }: Deps['metrics']): void {
  // The reason of `allowRequest` is in the context.
  engine.on('connection_error', ({ message, context }: { message: string; context?: { message?: string } }) =>
    handshakesRefused.inc({ reason: context?.message ?? message }),
  )
  engine.on(DISCONNECTED, (reason: string) => socketsDisconnected.inc({ reason }))
}

/** Attaches Socket.IO to the HTTP server, with the namespaces of this service under `SOCKET_PATH`. */
export function attachRealtime(
  http: HttpServer,
  deps: RealtimeDeps,
  { served = namespaces, pending = createPendingConnections(deps.config) } = {},
) {
  const { socketPath } = deps.config
  http.on('upgrade', (request, socket) => refuseUpgrade(socketPath, request, socket))
  const io = createServer(http, deps, pending)
  // Runs before the engine's listener, which gives no access to the headers of its refusals.
  http.prependListener('request', ({ url }, answer) => {
    if (url?.startsWith(socketPath)) answer.setHeader('X-Content-Type-Options', 'nosniff')
  })
  io.engine.on('connection', pending.add)
  countRefusals(io, deps.metrics)
  const stopBounding = boundConnections(io)

  io.use((_socket, next) => next(new Error('Invalid namespace')))
  const bounds = { pending, addUserSocket: createUserSockets() }
  for (const namespace of served) installNamespace(io, namespace, deps, bounds)
  deps.emit.attach(io)

  return {
    io,
    /** Closes every socket, so that its client reconnects, and the HTTP server with them. */
    async close(): Promise<void> {
      deps.emit.attach(undefined)
      stopBounding()
      await io.close()
    },
  }
}
