import { createServer } from 'node:http'
import { Server, type Socket } from 'socket.io'
import { type Socket as Client, Manager } from 'socket.io-client'
import { WireAdapter } from '../../../realtime/wire/wire-adapter.ts'
import { WireSocketServer } from '../../../realtime/wire/wire-socket.ts'
import { listenLocally } from '../../support/processes/listen-locally.ts'

/** Socket.IO with its own parts, or with the adapter and the WebSocket server of the service. */
export type Wiring = 'in-memory' | 'wire'

const KINDS = {
  websocket: ['websocket'],
  polling: ['polling'],
  upgraded: ['polling', 'websocket'],
} as const

export type Kind = keyof typeof KINDS
export const kinds = Object.keys(KINDS) as Kind[]

interface Member {
  name: string
  /** Its events in their order. */
  seen: string[]
  client: Client
  /** The same connection in another namespace. */
  side: Client
}

export type Hub = Awaited<ReturnType<typeof startHub>>

const describeArguments = (values: unknown[]) =>
  values
    .map((value) =>
      Buffer.isBuffer(value) || (typeof value === 'string' && value.length > 100) ? value.length : value,
    )
    .join(' ')

/** Records the events of a client, and answers their acks. */
function record(seen: string[], client: Client, prefix: string): void {
  client.onAny((event: string, ...values: unknown[]) => {
    const ack = values.at(-1)
    if (typeof ack === 'function') values.pop()
    seen.push(`${prefix}${event} ${describeArguments(values)}`)
    if (typeof ack === 'function') ack(`${prefix}${values[0]}`)
  })
  client.on('disconnect', (reason) => seen.push(`${prefix}disconnected: ${reason}`))
}

/** Starts Socket.IO with one of the adapters, frequent pings and members that record their events. */
export async function startHub(wiring: Wiring) {
  const http = createServer()
  const parts = wiring === 'wire' ? { adapter: WireAdapter, wsEngine: WireSocketServer } : {}
  const io = new Server(http, { ...parts, pingInterval: 300 })
  const port = await listenLocally(http)
  const sockets = new Map<string, Socket>()
  const members = new Map<string, Member>()

  for (const namespace of ['/', '/side']) {
    io.of(namespace).on('connection', (socket) => {
      const name = String(socket.handshake.auth.name)
      void socket.join(['everybody', `own:${name}`])
      socket.on('barrier', (ack: () => void) => ack())
      if (namespace !== '/') return
      sockets.set(name, socket)
      socket.on('disconnect', () => sockets.delete(name))
      socket.on('act', (request: number, ack: (answer: unknown) => void) => hub.onAct(request, ack))
    })
  }

  const untilConnected = (client: Client) => new Promise<void>((resolve) => client.once('connect', () => resolve()))

  const hub = {
    io,
    members,
    /** The socket of a member on the server, as long as it is connected. */
    socketOf: (name: string) => sockets.get(name),
    /** Answers a request, with what the server does before and afterwards. */
    onAct: (_request: number, ack: (answer: unknown) => void): void => ack(null),
    async open(name: string, kind: Kind): Promise<void> {
      const manager = new Manager(`http://127.0.0.1:${port}`, {
        transports: [...KINDS[kind]],
        reconnection: false,
        forceNew: true,
      })
      const [client, side] = [manager.socket('/', { auth: { name } }), manager.socket('/side', { auth: { name } })]
      const member: Member = { name, seen: [], client, side }
      record(member.seen, client, '')
      record(member.seen, side, 'side ')
      members.set(name, member)
      await Promise.all([untilConnected(client), untilConnected(side)])
    },
    async close(): Promise<void> {
      for (const { client, side } of members.values()) {
        client.disconnect()
        side.disconnect()
      }
      await io.close()
    },
  }
  return hub
}
