import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client'
import { atEnd } from '../service/close-at-end.ts'
import type { TestService } from '../service/start-service.ts'

interface OpenOptions extends Partial<ManagerOptions & SocketOptions> {
  cookie?: string
  origin?: string
}

/** Opens a client with a connection of its own until the test ends. The client does not reconnect by default. */
export function openClient(baseUrl: string, namespace: string, options: OpenOptions = {}): Socket {
  const { cookie, origin, ...rest } = options
  const socket = io(baseUrl + namespace, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    extraHeaders: { ...(cookie !== undefined && { cookie }), ...(origin !== undefined && { origin }) },
    ...rest,
  })
  atEnd(() => socket.disconnect())
  return socket
}

export async function untilConnected(socket: Socket): Promise<Socket> {
  if (socket.connected) return socket
  return new Promise((resolve, reject) => {
    socket.once('connect', () => resolve(socket))
    socket.once('connect_error', reject)
  })
}

export const untilRefused = (socket: Socket): Promise<string> =>
  new Promise((resolve, reject) => {
    socket.once('connect_error', (error) => resolve(error.message))
    socket.once('connect', () => reject(new Error('the client was let in')))
  })

/** Waits for the answer to a handshake: the message of the refusal, null when the client is connected. */
export const untilAnswered = (socket: Socket): Promise<string | null> =>
  new Promise((resolve) => {
    socket.once('connect', () => resolve(null))
    socket.once('connect_error', (error) => resolve(error.message))
  })

export const untilDisconnected = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('disconnect', resolve))

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever the service answered and asserts on it.
export const ask = (socket: Socket, event: string, ...payload: unknown[]): Promise<any> =>
  socket.timeout(30_000).emitWithAck(event, ...payload)

export function collect(socket: Socket, event: string): unknown[] {
  const seen: unknown[] = []
  socket.on(event, (payload) => seen.push(payload))
  return seen
}

/** Open sockets by namespace, as the metrics count them. */
export async function countSockets({ deps }: TestService): Promise<Record<string, number>> {
  const { values } = await deps.metrics.sockets.get()
  return Object.fromEntries(values.map(({ labels, value }) => [String(labels.namespace), value]))
}
