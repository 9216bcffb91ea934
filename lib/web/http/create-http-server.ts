import { createServer, IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { CLIENT_TIMEOUT_MS } from '../../infrastructure/concurrency/timeouts.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import { limitPipelining } from './connections.ts'
import { createFallbackAnswer } from './fallback-response.ts'
import { boundUnreadAnswers } from './unread-answers.ts'

/** Fits 500 repeated ids in an address. */
const MAX_HEAD_BYTES = 32 * 1024
const isUpgrade = Symbol('isUpgrade')

/** A request that upgrades only to WebSocket. RFC 9110 allows to ignore any other offer, such as h2c. */
class Request extends IncomingMessage {
  // The constructor of the base class assigns it, before a field of this class would exist.
  declare [isUpgrade]: boolean

  set upgrade(value: boolean) {
    this[isUpgrade] = value
  }

  get upgrade(): boolean {
    return this[isUpgrade] && /\bwebsocket\b/i.test(this.headers.upgrade ?? '')
  }
}

const REFUSALS: Record<string, { statusCode: number; message: string }> = {
  HPE_HEADER_OVERFLOW: { statusCode: 431, message: 'The address or the headers are too long' },
  ERR_HTTP_REQUEST_TIMEOUT: { statusCode: 408, message: 'The request did not arrive in time' },
}
const UNREADABLE = { statusCode: 400, message: 'This is no HTTP request that can be read' }

/** Makes an error in the usual shape that ends its connection. */
function createRefusal(statusCode: number, message: string) {
  const { headers, ...answer } = createFallbackAnswer(statusCode, message)
  return { ...answer, headers: { ...headers, 'Content-Length': Buffer.byteLength(answer.text), Connection: 'close' } }
}

interface HttpServerOptions {
  log: Logger
  trustProxy?: number
  /** Time limit for a request to arrive, head and body, and for an answer to be read. */
  timeoutMs?: number
}

const TIMEOUT_CHECK_MS = 1_000

/** Creates an HTTP server that ignores offers of other protocols, and times out slow requests and unread answers. */
export function createHttpServer(
  listener: RequestListener,
  { log, trustProxy = 0, timeoutMs = CLIENT_TIMEOUT_MS }: HttpServerOptions,
): Server {
  const http = createServer({
    IncomingMessage: Request,
    maxHeaderSize: MAX_HEAD_BYTES,
    headersTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    connectionsCheckingInterval: Math.min(TIMEOUT_CHECK_MS, timeoutMs),
  })
  const unread = boundUnreadAnswers(http, { log, trustProxy, timeoutMs })
  const connections = limitPipelining(http, {
    onRequest(request, response, connection) {
      unread.onRequest(request, response, connection)
      listener(request, response)
    },
    onIdle: unread.onIdle,
  })

  http.on('clientError', (reason: NodeJS.ErrnoException, socket) => {
    const answers = [...(connections.get(socket)?.answers ?? [])]
    // The client would read a refusal in the middle of an answer as a part of it.
    if (!socket.writable || answers.some(({ headersSent, writableFinished }) => headersSent && !writableFinished)) {
      socket.destroy()
      return
    }
    const { statusCode, message } = REFUSALS[reason.code ?? ''] ?? UNREADABLE
    const { requestId, error, headers, text } = createRefusal(statusCode, message)
    log.info({ requestId, route: 'unreadable', status: statusCode, reason: reason.message })
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.end(`HTTP/1.1 ${statusCode} ${error}\r\n${lines.join('')}\r\n${text}`, () => socket.destroy())
  })

  // Node by itself answers without a body.
  http.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { requestId, headers, text } = createRefusal(417, 'This expectation cannot be met')
    log.info({ requestId, route: 'unreadable', status: 417, reason: request.headers.expect })
    response.writeHead(417, headers).end(text)
  })
  return http
}
