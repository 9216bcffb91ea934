import { disconnect, REQUESTS_MAX, wasDisconnected } from './bounds.ts'
import type { ServedSocket, UserSockets } from './define-namespace.ts'

const USER_SOCKETS_MAX = 100
/** The requests of all sockets of a user that are not answered yet. */
const USER_REQUESTS_MAX_BYTES = 1024 * 1024
/** What a waiting request takes besides its payload, at the least. */
const REQUEST_BYTES = 256

/** Bounds the sockets of each user. Returns how a socket that was admitted is added; it leaves when it disconnects. */
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
 * Counts a request until it is answered. One too many of a socket disconnects it, and too many bytes of a user disconnect the
 * oldest socket with requests under way. Their bytes count until the queue has let go of them.
 * @returns what to call at its end; null: the socket was disconnected, so the request is dropped
 */
export function beginRequest({ data, conn }: ServedSocket, payload: unknown): (() => void) | null {
  const { user } = data
  const bytes = user === undefined ? 0 : REQUEST_BYTES + (JSON.stringify(payload) ?? '').length
  const underWay = (data.requests ?? 0) + 1
  if (underWay > REQUESTS_MAX) disconnect(conn)
  else if (user !== undefined && user.requestBytes + bytes > USER_REQUESTS_MAX_BYTES) {
    const oldest = [...user.sockets].find((socket) => socket.data.requests)
    disconnect(oldest?.conn ?? conn)
  }
  if (wasDisconnected(conn)) return null

  data.requests = underWay
  if (user !== undefined) user.requestBytes += bytes
  return () => {
    data.requests = (data.requests ?? 0) - 1
    if (user === undefined) return
    user.requestBytes -= bytes
    user.release()
  }
}
