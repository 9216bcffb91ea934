import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { createAddressBudget } from '../../infrastructure/limits/address-budget.ts'
import type { Logger } from '../../infrastructure/observability/log.ts'
import { findClientAddress } from './client-address.ts'
import type { Connection } from './connections.ts'

const UNREAD_MAX_BYTES = 8 * 1024 * 1024
const SWEEP_MS = 1_000

type ReserveRoom = (bytes: number) => (() => void) | null

const rooms = new WeakMap<Socket, ReserveRoom>()

/** Reserves room for a large answer. False while its address has too many unread bytes. */
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

/** Bounds the memory of unread answers: an address above its bound loses its oldest connections. */
export function boundUnreadAnswers(
  http: Server,
  { log, timeoutMs, trustProxy }: { log: Logger; timeoutMs: number; trustProxy: number },
) {
  const budget = createAddressBudget<Connection>({
    maxBytes: UNREAD_MAX_BYTES,
    measure(connection) {
      const bytes = countUnread(connection)
      // The timeout starts again whenever bytes leave, and closes the connection when it runs out.
      if (bytes > 0 && connection.socket.timeout !== timeoutMs) connection.socket.setTimeout(timeoutMs)
      return bytes
    },
    cut({ socket }, facts) {
      socket.destroy()
      log.warn(facts, 'disconnected a client that did not read its answers')
    },
  })

  const sweep = setInterval(budget.evictAll, SWEEP_MS)
  sweep.unref()
  http.once('close', () => clearInterval(sweep))

  return {
    onRequest(request: IncomingMessage, answer: ServerResponse, connection: Connection): void {
      // The address stays until the connection is idle: only then does a proxy send requests of another client.
      const address = connection.address ?? findClientAddress(request, { trustProxy })
      connection.address = address
      rooms.set(connection.socket, (bytes) => budget.reserve(address, bytes))
      budget.add(address, connection)
      // The whole answer is in the buffer now. Back-pressure and the sweep bound an answer that is a stream.
      answer.once('prefinish', () => {
        // An answer may finish after its client has left.
        if (!connection.answers.has(answer)) return
        budget.add(address, connection)
        budget.evict(address)
      })
    },

    onIdle(connection: Connection): void {
      if (connection.address === undefined) return
      budget.release(connection.address, connection)
      connection.address = undefined
    },
  }
}
