import type { Socket } from 'node:net'
import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { Burst } from './burst.ts'
import { dropListeners } from './drop-listeners.ts'
import { frameText } from './frame.ts'

type BufferLike = Parameters<WebSocket['send']>[0]
type SendCallback = (error?: Error) => void

/** The owner of a socket, which gets its messages. */
interface Server {
  receive(data: Buffer, isBinary: boolean): void
  fail(error: Error): void
  end(): void
}

let holding: WireSocket[] = []

function endTurn(): void {
  const sockets = holding
  holding = []
  for (const socket of sockets) socket.settle()
}

/**
 * A WebSocket that holds its text frames until the end of the event loop's turn, so that they leave in one write.
 * Anything else that it is to send comes after them.
 */
export class WireSocket extends WebSocket {
  private burst: Burst | undefined = undefined
  private server: Server | undefined = undefined
  /** Whether nothing waits in the engine that what is held would overtake. */
  isEngineIdle = true
  /** Bytes that the system has not taken and the stream does not know of. */
  private directBytes = 0

  /** Tells one server, instead of listeners, what happens. */
  serve(server: Server): void {
    dropListeners(this)
    this.server = server
  }

  override emit(event: string | symbol, ...values: unknown[]): boolean {
    const { server } = this
    if (server === undefined) return super.emit(event, ...values)
    if (event === 'message') {
      // The receiver would keep the whole chunk in which the message came for the sake of its mask.
      ;(this as unknown as { _receiver: { _mask: unknown } })._receiver._mask = undefined
      server.receive(values[0] as Buffer, values[1] as boolean)
    } else if (event === 'error') {
      server.fail(values[0] as Error)
    } else if (event === 'close') {
      server.end()
    }
    return true
  }

  get isHolding(): boolean {
    return this.burst !== undefined
  }

  /** Bytes that were written and the system has not taken. */
  get unsentBytes(): number {
    return this.directBytes + this.tcp.writableLength
  }

  private get isKeepingUp(): boolean {
    return this.readyState === WebSocket.OPEN && this.unsentBytes === 0
  }

  private get tcp(): Socket {
    // Private in the types of `ws`; a frame that is whole already has no other way to the connection.
    return (this as unknown as { _socket: Socket })._socket
  }

  /** Sends one frame along with the others of this turn; a socket that closes drops it. */
  hold(first: Burst): void {
    if (this.burst !== undefined) {
      this.burst = this.burst.followedBy(first)
    } else if (this.readyState === WebSocket.OPEN) {
      this.burst = first
      if (holding.push(this) === 1) setImmediate(endTurn)
    }
  }

  /**
   * Writes past the queue of the stream, whose bookkeeping costs as much as everything else here. Whatever is written
   * meanwhile comes after it: the connection is plain TCP and keeps the order of its writes.
   */
  private writeAtOnce(chunk: Buffer): void {
    const { tcp } = this
    const bytes = chunk.length
    this.directBytes += bytes
    // The types of Node name encodings of texts only; streams say this one to their own `_write`.
    tcp._write(chunk, 'buffer' as BufferEncoding, (error) => {
      this.directBytes -= bytes
      if (error) tcp.destroy(error)
    })
  }

  /** Writes the held frames. */
  settle(): void {
    if (this.burst === undefined) return
    const { tcp } = this
    const { chunks } = this.burst
    this.burst = undefined
    if (!tcp.writable) return
    try {
      if (Buffer.isBuffer(chunks)) {
        if (this.unsentBytes === 0) this.writeAtOnce(chunks)
        else tcp.write(chunks)
      } else {
        tcp.cork()
        for (const chunk of chunks) tcp.write(chunk)
        tcp.uncork()
      }
    } catch {
      // Whatever is wrong with this connection, the ones after it are none the worse.
      tcp.destroy()
    }
  }

  override send(data: BufferLike, callback?: SendCallback): void
  override send(data: BufferLike, options: object, callback?: SendCallback): void
  override send(...message: unknown[]): void {
    const [data, callback] = message
    if (typeof data === 'string' && typeof callback === 'function' && this.isKeepingUp) {
      this.hold(new Burst(frameText(data)))
      // The engine would queue on its own side until then, and send each of these in a write of its own.
      callback()
      return
    }
    this.settle()
    // One call of either form, handed on as it came.
    super.send(...(message as Parameters<WebSocket['send']>))
  }

  override ping(...message: Parameters<WebSocket['ping']>): void {
    this.settle()
    super.ping(...message)
  }

  override pong(...message: Parameters<WebSocket['pong']>): void {
    this.settle()
    super.pong(...message)
  }

  override close(...reason: Parameters<WebSocket['close']>): void {
    this.settle()
    super.close(...reason)
  }

  override terminate(): void {
    this.settle()
    super.terminate()
  }
}

/** Opens such sockets for the engine, without compression: a frame is the same for everybody. */
export class WireSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    super({ ...options, perMessageDeflate: false, WebSocket: WireSocket })
  }
}
