import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

interface RawOptions {
  path?: string
  headers?: Record<string, string>
}

/** A WebSocket spoken by hand, for what a client would never do. */
export interface RawSocket {
  tcp: Socket
  /** The head of the answer to the upgrade. */
  headers: string
  /** Sends text frames, all in one go. */
  send(...texts: string[]): void
  /** Sends bytes as they are. */
  sendBytes(bytes: Buffer): void
  /** Sends one binary frame. */
  sendBinary(bytes: Buffer): void
  /** The next text message of the service; pings are answered on the way. */
  next(): Promise<string>
  closed: Promise<void>
}

const TEXT = 1
const BINARY = 2
const CLOSE = 8
/** Packets of the engine. */
const PING = '2'
const PONG = '3'

function frame(opcode: number, payload: Buffer): Buffer {
  const length =
    payload.length < 126
      ? Buffer.from([0x80 | payload.length])
      : payload.length < 65_536
        ? Buffer.from([0x80 | 126, payload.length >> 8, payload.length & 0xff])
        : Buffer.concat([Buffer.from([0x80 | 127, 0, 0, 0, 0]), uint32(payload.length)])
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([Buffer.from([0x80 | opcode]), length, Buffer.alloc(4), payload])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Takes the first whole frame off what was received. */
function takeFrame(bytes: Buffer): { opcode: number; payload: Buffer; rest: Buffer } | null {
  if (bytes.length < 2) return null
  const short = bytes.readUInt8(1) & 0x7f
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return null
  const length = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < start + length) return null
  return {
    opcode: bytes.readUInt8(0) & 0x0f,
    payload: bytes.subarray(start, start + length),
    rest: bytes.subarray(start + length),
  }
}

const END_OF_HEADERS = '\r\n\r\n'

/** Request that opens a WebSocket. */
export function upgradeRequest({ path, headers }: RawOptions = {}): string {
  const lines = Object.entries({
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': randomBytes(16).toString('base64'),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`)
  const target = path ?? '/socket.io/?EIO=4&transport=websocket'
  return `${[`GET ${target} HTTP/1.1`, ...lines].join('\r\n')}${END_OF_HEADERS}`
}

/** Opens a WebSocket to the engine; resolves after the upgrade, before its first message. */
export async function openRaw(port: number, options: RawOptions = {}): Promise<RawSocket> {
  const tcp = connect(port, '127.0.0.1')
  tcp.on('error', () => {})
  tcp.write(upgradeRequest(options))
  let received: Buffer = Buffer.alloc(0)
  while (!received.includes(END_OF_HEADERS)) {
    const [bytes] = await once(tcp, 'data')
    received = Buffer.concat([received, bytes])
  }
  const headers = received.toString('latin1', 0, received.indexOf(END_OF_HEADERS))
  if (!headers.startsWith('HTTP/1.1 101')) throw new Error(`no upgrade: ${headers}`)
  received = received.subarray(received.indexOf(END_OF_HEADERS) + END_OF_HEADERS.length)

  const messages: string[] = []
  const waiting: { resolve(text: string): void; reject(error: Error): void }[] = []

  function read() {
    for (let taken = takeFrame(received); taken !== null; taken = takeFrame(received)) {
      received = taken.rest
      const text = taken.payload.toString()
      if (taken.opcode === CLOSE) tcp.end()
      if (taken.opcode !== TEXT) continue
      if (text === PING) tcp.write(frame(TEXT, Buffer.from(PONG)))
      else if (waiting.length > 0) waiting.shift()?.resolve(text)
      else messages.push(text)
    }
  }
  tcp.on('data', (bytes: Buffer) => {
    received = Buffer.concat([received, bytes])
    read()
  })
  const closed = new Promise<void>((resolve) => {
    tcp.once('close', () => {
      for (const { reject } of waiting.splice(0)) reject(new Error('the connection was closed'))
      resolve()
    })
  })
  read()

  return {
    tcp,
    headers,
    closed,
    send: (...texts) => tcp.write(Buffer.concat(texts.map((text) => frame(TEXT, Buffer.from(text))))),
    sendBytes: (bytes) => tcp.write(bytes),
    sendBinary: (bytes) => tcp.write(frame(BINARY, bytes)),
    next: () => {
      const message = messages.shift()
      if (message !== undefined) return Promise.resolve(message)
      if (tcp.destroyed) return Promise.reject(new Error('the connection was closed'))
      return new Promise((resolve, reject) => waiting.push({ resolve, reject }))
    },
  }
}

/** Opens a WebSocket and a namespace on it; resolves when it was let in. */
export async function openRawNamespace(port: number, namespace: string, options: RawOptions = {}): Promise<RawSocket> {
  const raw = await openRaw(port, options)
  await raw.next()
  raw.send(`40${namespace},`)
  const answer = await raw.next()
  if (!answer.startsWith(`40${namespace},`)) throw new Error(`not let in: ${answer}`)
  return raw
}
