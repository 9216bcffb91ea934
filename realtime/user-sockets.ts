import { disconnect, REQUESTS_MAX, wasDisconnected } from './bounds.ts'
import type { ServedSocket, UserSockets } from './define-namespace.ts'

const USER_SOCKETS_MAX = 100
/** Bytes of the unanswered requests of all sockets of a user. */
const USER_REQUESTS_MAX_BYTES = 1024 * 1024
/** The least memory of a waiting request besides its payload. */
const REQUEST_BYTES = 256

/** Bounds the sockets of each user. Returns the function that adds an admitted socket, until it disconnects. */
export function createUserSockets(): (userId: string, socket: ServedSocket) => void {
  const users = new Map<string, UserSockets>()

  function createUser(userId: string): UserSockets {
    const user: UserSockets = {
      sockets: new Set(),
      requestBytes: 0,
      release() {
        if (user.sockets.size === 0 && user.requestBytes === 0) users.delete(userId)
      },
    }
    users.set(userId, user)
    return user
  }

  return function add(userId, socket) {
    const user = users.get(userId) ?? createUser(userId)
    socket.data.user = user
    user.sockets.add(socket)
    socket.on('disconnect', () => {
      user.sockets.delete(socket)
      user.release()
    })
    const [oldest] = user.sockets
    if (oldest !== undefined && user.sockets.size > USER_SOCKETS_MAX) disconnect(oldest.conn)
  }
}

/**
 * Counts a request until it is answered. Too many requests disconnect their socket; too many bytes of a user disconnect the
 * oldest socket with unanswered requests. Bytes count until the queue has dropped the requests.
 * @returns the function to call at the end, null when the socket was disconnected and the request is dropped
 */
export function beginRequest({ data, conn }: ServedSocket, payload: unknown): (() => void) | null {
  const { user } = data
  const bytes = user === undefined ? 0 : REQUEST_BYTES + (JSON.stringify(payload) ?? '').length
  const unanswered = (data.requests ?? 0) + 1
  if (unanswered > REQUESTS_MAX) disconnect(conn)
  else if (user !== undefined && user.requestBytes + bytes > USER_REQUESTS_MAX_BYTES) {
    const oldest = [...user.sockets].find((socket) => socket.data.requests)
    disconnect(oldest?.conn ?? conn)
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
