import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Server } from 'socket.io'
import { UNSENT_CHECK_MS } from '../lib/infrastructure/concurrency/timeouts.ts'
import {
  type Connection,
  connectionsOf,
  getEngine,
  queuedPackets,
  readQuery,
  readState,
  webSocketOf,
} from './wire/internals.ts'

/** The most unanswered requests of one socket: 32 running, 2,000 waiting. */
export const REQUESTS_MAX = 32 + 2_000
/** A larger message closes the connection. */
export const MESSAGE_MAX_BYTES = 64 * 1024
const UNSENT_MAX_BYTES = 1024 * 1024

export const wasDisconnected = (connection: Connection) => readState(connection).isDisconnected === true

/** The engine sends this event with the reason of a disconnect. */
export const DISCONNECTED = 'gamehall:disconnected'

/** Ends a connection at once and drops its unsent packets. The client sees a lost transport. */
export function disconnect(connection: Connection, reason: string): void {
  const state = readState(connection)
  if (!state.isDisconnected) getEngine(connection).emit(DISCONNECTED, reason)
  state.isDisconnected = true
  const webSocket = webSocketOf(connection)
  connection.close(true)
  // A close without this keeps the unsent bytes for the 30 s in which the client may answer the close frame.
  webSocket?.terminate()
  for (const answer of state.polls ?? []) answer.destroy()
}

function countUnsentBytes(connection: Connection): number {
  let bytes = webSocketOf(connection)?.bufferedAmount ?? 0
  for (const { data = '' } of queuedPackets(connection)) bytes += Buffer.byteLength(data)
  for (const answer of readState(connection).polls ?? []) bytes += answer.socket?.writableLength ?? 0
  return bytes
}

function trackPoll(connection: Connection, answer: ServerResponse): void {
  const state = readState(connection)
  state.polls ??= new Set()
  state.polls.add(answer)
  answer.once('close', () => {
    state.polls?.delete(answer)
    // Most clients continue over WebSocket and never poll again.
    if (state.polls?.size === 0) state.polls = undefined
  })
}

/** Disconnects after a large message sent by polling, because the engine answers 413 and leaves the connection open. */
function disconnectAfterLargeMessage(connection: Connection, request: IncomingMessage, answer: ServerResponse): void {
  answer.once('finish', () => {
    if (answer.statusCode !== 413) return
    disconnect(connection, 'message-too-large')
    if (!request.complete) request.destroy()
  })
}

/** Disconnects clients that send too large messages or do not read. The returned function ends this. */
export function boundConnections(io: Server): () => void {
  const connections = connectionsOf(io)

  io.engine.use((request: IncomingMessage, answer: ServerResponse, next: () => void) => {
    const { sid } = readQuery(request)
    const connection = sid !== undefined && Object.hasOwn(connections, sid) ? connections[sid] : undefined
    if (!(answer instanceof ServerResponse)) {
      // The placeholder for the answer to an upgrade lives as long as the connection, and would hold the request.
      Object.assign(answer, { req: undefined })
    } else if (connection !== undefined) {
      if (request.method === 'GET') trackPoll(connection, answer)
      else disconnectAfterLargeMessage(connection, request, answer)
    }
    next()
  })

  const timer = setInterval(() => {
    for (const connection of Object.values(connections)) {
      if (countUnsentBytes(connection) > UNSENT_MAX_BYTES) disconnect(connection, 'unread')
    }
  }, UNSENT_CHECK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
