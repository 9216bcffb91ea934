import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'

interface RawOptions {
  path?: string
  headers?: Record<string, string>
}

export type RawSocket = Awaited<ReturnType<typeof openRaw>>

/** Packets of the engine. */
const PING = '2'
const PONG = '3'
const ENGINE = '/socket.io/?EIO=4&transport=websocket'

export function upgradeRequest({ path = ENGINE }: Pick<RawOptions, 'path'> = {}): string {
  const headers = {
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`
}

/**
 * Opens a WebSocket to the engine, without a client of Socket.IO, for what such a client would never do; resolves after
 * the upgrade, before its first message.
 */
export async function openRaw(port: number, { path = ENGINE, headers = {} }: RawOptions = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { headers, perMessageDeflate: false })
  const messages: string[] = []
  const waiting: { resolve(text: string): void; reject(error: Error): void }[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    const text = data.toString()
    if (isBinary) return
    if (text === PING) socket.send(PONG)
    else if (waiting.length > 0) waiting.shift()?.resolve(text)
    else messages.push(text)
  })
  const [[answer]] = await Promise.all([once(socket, 'upgrade'), once(socket, 'open')])
  socket.on('error', () => {})
  const { socket: tcp, headers: received }: IncomingMessage = answer
  const closed = new Promise<void>((resolve) => {
    tcp.once('close', () => {
      for (const { reject } of waiting.splice(0)) reject(new Error('the connection was closed'))
      resolve()
    })
  })

  return {
    tcp,
    /** The headers of the answer to the upgrade. */
    headers: received,
    closed,
    send(...texts: string[]) {
      tcp.cork()
      for (const text of texts) socket.send(text)
      tcp.uncork()
    },
    sendBytes: (bytes: Buffer) => tcp.write(bytes),
    sendBinary: (bytes: Buffer) => socket.send(bytes),
    /** The next text message of the service; pings are answered on the way. */
    next: () => {
      const message = messages.shift()
      if (message !== undefined) return Promise.resolve(message)
      if (tcp.destroyed) return Promise.reject(new Error('the connection was closed'))
      return new Promise<string>((resolve, reject) => waiting.push({ resolve, reject }))
    },
  }
}

export async function openRawNamespace(port: number, namespace: string, options: RawOptions = {}) {
  const raw = await openRaw(port, options)
  await raw.next()
  raw.send(`40${namespace},`)
  const answer = await raw.next()
  if (!answer.startsWith(`40${namespace},`)) throw new Error(`not let in: ${answer}`)
  return raw
}
