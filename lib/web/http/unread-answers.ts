import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createAddressBudget } from '../../infrastructure/limits/address-budget.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import { type AddressOptions, findClientAddress } from './client-address.ts'
import type { Connection } from './connections.ts'

interface UnreadAnswersOptions extends AddressOptions {
  log: Logger
  timeoutMs: number
}

const UNREAD_MAX_BYTES = 8 * 1024 * 1024
const SWEEP_MS = 1_000

type ReserveRoom = (bytes: number) => (() => void) | null

/** Reserves room at the address whose request is answered by a connection now. */
const rooms = new WeakMap<Socket, ReserveRoom>()

/**
 * Keeps room for a large answer until it is sent. False while its address has too much that it has not read: sent now, the
 * answer would cost another one its connection.
 */
export function takeAnswerRoom(answer: ServerResponse, bytes: number): boolean {
  const reserve = answer.socket && rooms.get(answer.socket)
  if (!reserve) return true
  const release = reserve(bytes)
  if (release === null) return false
  answer.once('prefinish', release).once('close', release)
  return true
}

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
  /** A proxy sends requests of another client only when its connection is idle. */
  const addresses = new Map<Connection, string>()
  const budget = createAddressBudget<Connection>({
    maxBytes: UNREAD_MAX_BYTES,
    measure(connection) {
      const bytes = countUnread(connection)
      // Starts again whenever some bytes leave; the server closes the connection when it runs out.
      if (bytes > 0 && connection.socket.timeout !== timeoutMs) connection.socket.setTimeout(timeoutMs)
      return bytes
    },
    cut({ socket }, facts) {
      socket.destroy()
      log.warn(facts, 'a client that did not read its answers was disconnected')
    },
  })

  const sweep = setInterval(budget.evictAll, SWEEP_MS)
  sweep.unref()
  http.once('close', () => clearInterval(sweep))

  return {
    onRequest(request: IncomingMessage, answer: ServerResponse, connection: Connection): void {
      const address = addresses.get(connection) ?? findClientAddress(request, { trustProxy })
      addresses.set(connection, address)
      rooms.set(connection.socket, (bytes) => budget.reserve(address, bytes))
      budget.add(address, connection)
      // All that the answer will have is queued now; streams have their own back-pressure, and the sweep.
      answer.once('prefinish', () => {
        // An answer whose client has left ends after its close.
        if (!connection.answers.has(answer)) return
        budget.add(address, connection)
        budget.evict(address)
      })
    },

    onIdle(connection: Connection): void {
      const address = addresses.get(connection)
      if (address === undefined) return
      addresses.delete(connection)
      budget.release(address, connection)
    },
  }
}
