import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { type Connection, tcpOf, webSocketOf } from './internals.ts'

type Data = Parameters<WebSocket['send']>[0]
type SendCallback = (error?: Error) => void

/**
 * The frames that a socket is sent in one turn, as the last link of a chain. Sockets that are sent the same frames share
 * the chain, and so the one buffer into which it is joined.
 */
export class FrameBatch {
  private readonly frame: Buffer
  private readonly previous: FrameBatch | undefined
  private next: FrameBatch | undefined = undefined
  private joined: Buffer | undefined = undefined

  constructor(frame: Buffer, previous?: FrameBatch) {
    this.frame = frame
    this.previous = previous
  }

  /** This batch followed by the last frame of another. */
  append({ frame }: FrameBatch): FrameBatch {
    if (this.next?.frame !== frame) this.next = new FrameBatch(frame, this)
    return this.next
  }

  get bytes(): Buffer {
    if (this.previous === undefined) return this.frame
    if (this.joined === undefined) {
      const frames: Buffer[] = []
      for (let batch: FrameBatch | undefined = this; batch !== undefined; batch = batch.previous)
        frames.push(batch.frame)
      this.joined = Buffer.concat(frames.reverse())
    }
    return this.joined
  }
}

let waiting: WireSocket[] = []

function flushAll(): void {
  const sockets = waiting
  waiting = []
  for (const socket of sockets) socket.flush()
}

/** A WebSocket that collects frames until the end of the event loop's turn, so that they leave in one write. */
export class WireSocket extends WebSocket {
  private batch: FrameBatch | undefined = undefined
  /** Messages of the engine that are being written: it queues what follows, and nothing may overtake that. */
  private sending = 0

  /** Sends a frame with the others of this turn. Returns false if it must take its place in the engine's queue. */
  enqueue(frame: FrameBatch): boolean {
    if (this.sending > 0 || this.readyState !== WebSocket.OPEN) return false
    if (this.batch === undefined && waiting.push(this) === 1) setImmediate(flushAll)
    this.batch = this.batch?.append(frame) ?? frame
    return true
  }

  flush(): void {
    const { batch } = this
    this.batch = undefined
    const tcp = tcpOf(this)
    if (batch !== undefined && tcp.writable) tcp.write(batch.bytes)
  }

  override send(data: Data, ...rest: (object | SendCallback | undefined)[]): void {
    this.flush()
    this.sending += 1
    const onSent = rest.find((value) => typeof value === 'function')
    super.send(data, {}, (error) => {
      onSent?.(error)
      this.sending -= 1
    })
  }

  override close(...reason: Parameters<WebSocket['close']>): void {
    this.flush()
    super.close(...reason)
  }
}

/** Returns the WebSocket of a connection; undefined while it polls. */
export function wireOf(connection: Connection): WireSocket | undefined {
  const socket = webSocketOf(connection)
  return socket instanceof WireSocket ? socket : undefined
}

/** Opens such sockets for the engine, without compression: a frame is the same for everybody. */
export class WireSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, perMessageDeflate: false, WebSocket: WireSocket })
  }
}
