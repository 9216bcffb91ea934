import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** A client's connection with its unfinished answers, in the order of their requests. */
export interface Connection {
  socket: Socket
  /** The address whose requests are under way, as `unread-answers.ts` finds it. */
  address?: string | undefined
  answers: Set<ServerResponse>
  /** Starts the requests that were read but wait for their turn. */
  waiting: (() => void)[]
}

interface ConnectionHandlers {
  onRequest(request: IncomingMessage, answer: ServerResponse, connection: Connection): void
  /** Called when a connection has no unfinished answer left, and when it has closed. */
  onIdle(connection: Connection): void
}

const MAX_PIPELINED = 8

/** Handles at most 8 requests of a connection at a time, in their order, and reads nothing while others wait. */
export function limitPipelining(http: Server, { onRequest, onIdle }: ConnectionHandlers): WeakMap<Duplex, Connection> {
  const connections = new WeakMap<Duplex, Connection>()

  function open(socket: Socket): Connection {
    const connection: Connection = { socket, answers: new Set(), waiting: [] }
    connections.set(socket, connection)
    // Node resumes a socket when it discards the rest of a request.
    socket.on('resume', () => {
      if (connection.waiting.length > 0) socket.pause()
    })
    // When a connection closes, Node emits `close` on its first answer alone.
    socket.once('close', () => {
      connection.answers.clear()
      connection.waiting.length = 0
      onIdle(connection)
    })
    return connection
  }

  function begin(connection: Connection, request: IncomingMessage, answer: ServerResponse): void {
    const { socket, answers, waiting } = connection
    answers.add(answer)
    answer.once('close', () => {
      if (!answers.delete(answer)) return
      waiting.shift()?.()
      if (waiting.length === 0) socket.resume()
      if (answers.size === 0) onIdle(connection)
    })
    onRequest(request, answer, connection)
  }

  http.on('request', (request, answer) => {
    const { socket } = request
    const connection = connections.get(socket) ?? open(socket)
    if (connection.answers.size < MAX_PIPELINED) return begin(connection, request, answer)
    connection.waiting.push(() => begin(connection, request, answer))
    socket.pause()
  })
  return connections
}
