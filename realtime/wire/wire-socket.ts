import { type ServerOptions, WebSocket, WebSocketServer } from 'ws'
import { CLOSE_FRAME_TIMEOUT_MS } from '../../lib/infrastructure/concurrency/timeouts.ts'
import { type Connection, tcpOf, webSocketOf } from './internals.ts'

type Data = Parameters<WebSocket['send']>[0]
type SendCallback = (error?: Error) => void

/** Collects the sockets that have frames, and flushes all of them at the end of a turn of the event loop. */
function createFlush() {
  let waiting: WireSocket[] = []
  return (socket: WireSocket): void => {
    if (waiting.push(socket) > 1) return
    setImmediate(() => {
      const sockets = waiting
      waiting = []
      for (const member of sockets) member.flush()
    })
  }
}

/** A WebSocket that collects the frames of one turn of the event loop and sends them in one write. */
export class WireSocket extends WebSocket {
  /** Flushes this socket at the end of the turn; set by the server. */
  flushLater: (socket: WireSocket) => void = () => {}
  private frames: Buffer[] | undefined = undefined
  /** The number of engine messages under way. The engine queues later messages, which no frame may overtake. */
  private sending = 0

  /** Sends a frame with the others of this turn. Returns false when it must wait in the engine's queue. */
  enqueue(frame: Buffer): boolean {
    if (this.sending > 0 || this.readyState !== WebSocket.OPEN) return false
    if (this.frames === undefined) this.flushLater(this)
    this.frames ??= []
    this.frames.push(frame)
    return true
  }

  flush(): void {
    const { frames } = this
    if (frames === undefined) return
    this.frames = undefined
    const [first] = frames
    const tcp = tcpOf(this)
    if (tcp.writable) tcp.write(first !== undefined && frames.length === 1 ? first : Buffer.concat(frames))
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

export function wireOf(connection: Connection): WireSocket | undefined {
  const socket = webSocketOf(connection)
  return socket instanceof WireSocket ? socket : undefined
}

/** The time after which a connection ends whose client does not answer the close. The types of `ws` lack this option. */
const CLOSING = { closeTimeout: CLOSE_FRAME_TIMEOUT_MS }

/** Opens these sockets for the engine, without compression, so that a frame is the same for every client. */
export class WireSocketServer extends WebSocketServer {
  constructor(options: ServerOptions) {
    const flushLater = createFlush()
    class SocketOfServer extends WireSocket {
      override flushLater = flushLater
    }
    super({ ...options, ...CLOSING, perMessageDeflate: false, WebSocket: SocketOfServer })
  }
}
