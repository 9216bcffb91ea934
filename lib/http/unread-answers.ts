import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { addressKey } from '../limits/address-key.ts'
import type { Logger } from '../observability/log.ts'
import { type AddressOptions, findClientAddress } from './client-address.ts'
import type { Connection } from './connections.ts'

interface UnreadAnswersOptions extends AddressOptions {
  log: Logger
  timeoutMs: number
}

/** The bound on one address, all its connections together. */
const UNREAD_MAX_BYTES = 8 * 1024 * 1024
/** Disconnecting makes room for many answers, so that not each of them looks through all. */
const LOW_BYTES = (UNREAD_MAX_BYTES * 7) / 8
const SWEEP_MS = 1_000

/** The connections of one address that have answers under way. */
interface OpenConnections {
  address: string
  /** Unread bytes when last counted, the oldest connection first. */
  unread: Map<Connection, number>
  /** Their sum. */
  bytes: number
  /** Bytes of answers that are about to be sent. */
  taken: number
}

const answerRooms = new WeakMap<Socket, (answer: ServerResponse, bytes: number) => boolean>()

/**
 * Keeps room for a large answer until it is sent. False while its address has too much that it has not read: sent now, the
 * answer would cost another one its connection.
 */
export const takeAnswerRoom = (answer: ServerResponse, bytes: number): boolean =>
  (answer.socket && answerRooms.get(answer.socket)?.(answer, bytes)) ?? true

function countUnread({ socket, answers }: Connection): number {
  let bytes = 0
  if (!socket.destroyed) for (const answer of answers) bytes += answer.writableLength
  return bytes
}

/**
 * Bounds the memory that answers take whose clients do not read them: bytes beyond the bound of an address cost its oldest
 * connections. Answers the handlers to be called for each connection of the server.
 */
export function boundUnreadAnswers(http: Server, { log, timeoutMs, trustProxy }: UnreadAnswersOptions) {
  const byAddress = new Map<string, OpenConnections>()
  const byConnection = new Map<Connection, OpenConnections>()

  function note(open: OpenConnections, connection: Connection): void {
    const bytes = countUnread(connection)
    open.bytes += bytes - (open.unread.get(connection) ?? 0)
    open.unread.set(connection, bytes)
    // Starts again whenever some bytes leave; the server closes the connection when it runs out.
    if (bytes > 0 && connection.socket.timeout !== timeoutMs) connection.socket.setTimeout(timeoutMs)
  }

  function noteAll(open: OpenConnections): void {
    for (const connection of open.unread.keys()) note(open, connection)
  }

  function takeRoom(open: OpenConnections, answer: ServerResponse, bytes: number): boolean {
    noteAll(open)
    const others = open.bytes + open.taken
    if (others > 0 && others + bytes > UNREAD_MAX_BYTES) return false
    open.taken += bytes
    const release = () => {
      answer.off('prefinish', release).off('close', release)
      open.taken -= bytes
    }
    answer.once('prefinish', release).once('close', release)
    return true
  }

  function disconnectOldest(open: OpenConnections): void {
    noteAll(open)
    if (open.bytes <= UNREAD_MAX_BYTES) return
    for (const [connection, bytes] of open.unread) {
      if (open.bytes <= LOW_BYTES) return
      if (bytes === 0) continue
      connection.socket.destroy()
      note(open, connection)
      log.warn({ address: open.address, bytes }, 'a client that did not read its answers was disconnected')
    }
  }

  /** A proxy sends requests of another client only when its connection is idle. */
  function findOpen(request: IncomingMessage, connection: Connection): OpenConnections {
    const known = byConnection.get(connection)
    if (known !== undefined) return known
    const address = addressKey(findClientAddress(request, { trustProxy }))
    const open = byAddress.get(address) ?? { address, unread: new Map(), bytes: 0, taken: 0 }
    byAddress.set(address, open)
    byConnection.set(connection, open)
    if (!answerRooms.has(connection.socket)) {
      answerRooms.set(connection.socket, (answer, bytes) => {
        const current = byConnection.get(connection)
        return current === undefined || takeRoom(current, answer, bytes)
      })
    }
    return open
  }

  const sweep = setInterval(() => {
    for (const open of byAddress.values()) disconnectOldest(open)
  }, SWEEP_MS)
  sweep.unref()
  http.once('close', () => clearInterval(sweep))

  return {
    onRequest(request: IncomingMessage, answer: ServerResponse, connection: Connection): void {
      const open = findOpen(request, connection)
      note(open, connection)
      // All that the answer will have is queued now; streams have their own back-pressure, and the sweep.
      answer.once('prefinish', () => {
        // An answer whose client has left ends after its close.
        if (!connection.answers.has(answer)) return
        note(open, connection)
        if (open.bytes > UNREAD_MAX_BYTES) disconnectOldest(open)
      })
    },

    onIdle(connection: Connection): void {
      const open = byConnection.get(connection)
      if (open === undefined) return
      open.bytes -= open.unread.get(connection) ?? 0
      open.unread.delete(connection)
      byConnection.delete(connection)
      if (open.unread.size === 0) byAddress.delete(open.address)
    },
  }
}
