import { parser, type Server, type Socket, Transport } from 'engine.io'
import { dropListeners } from './drop-listeners.ts'
import type { WireSocket } from './wire-socket.ts'

type Packet = Parameters<Transport['send']>[0][number]
type Request = ConstructorParameters<typeof Transport>[0] & { websocket: WireSocket }

/** The engine's listeners on a transport, which its types keep private. */
interface Connection {
  transport: Transport
  cleanupFn: (() => void)[]
  onPacket(packet: Packet): void
  onError(error: Error): void
  onClose(reason: string): void
  onDrain(): void
  flush(): void
}

/**
 * Messages of the engine over a WebSocket. Once it is that of a connection it calls it directly: listeners of its own
 * are a third of the memory of an idle socket.
 */
class WireTransport extends Transport {
  readonly socket: WireSocket
  private connection: Connection | undefined = undefined

  constructor(request: Request) {
    super(request)
    this.socket = request.websocket
    this.socket.serve(this)
    this.writable = true
  }

  override get name(): string {
    return 'websocket'
  }

  /** Takes the place of the listeners that the engine made for this connection. */
  adopt(connection: Connection): void {
    for (const removeListeners of connection.cleanupFn.splice(0)) removeListeners()
    dropListeners(this)
    this.connection = connection
  }

  override send(packets: Packet[]): void {
    this.setWritable(false)
    const last = packets.at(-1)
    for (const packet of packets) {
      const onSent = packet === last ? this.onLastSent.bind(this) : this.onSent.bind(this)
      parser.encodePacket(packet, this.supportsBinary, (data) => this.socket.send(data, onSent))
    }
  }

  override doClose(onClosed?: () => void): void {
    this.socket.close()
    onClosed?.()
  }

  receive(data: Buffer, isBinary: boolean): void {
    this.onData(isBinary ? data : data.toString())
  }

  fail(error: Error): void {
    this.onError(error.message, error)
  }

  end(): void {
    this.onClose()
  }

  override emit(event: string, ...values: unknown[]): boolean {
    const { connection } = this
    if (connection === undefined) return super.emit(event, ...values)
    const [value] = values
    if (event === 'packet') connection.onPacket(value as Packet)
    else if (event === 'ready') connection.flush()
    else if (event === 'drain') connection.onDrain()
    else if (event === 'error') connection.onError(value as Error)
    else if (event === 'close') connection.onClose('transport close')
    return true
  }

  // The engine's own would say nothing of an error that has no listener.
  protected override onError(message: string, description?: unknown): void {
    if (this.connection === undefined) super.onError(message, description)
    else this.connection.onError(Object.assign(new Error(message), { type: 'TransportError', description }))
  }

  /** The engine keeps packets back as long as this is false, and sends them all once it is true. */
  private setWritable(isWritable: boolean): void {
    this.writable = isWritable
    this.socket.isEngineIdle = isWritable
  }

  private onSent(error?: Error): void {
    if (error) this.onError('write error', error.stack)
  }

  private onLastSent(error?: Error): void {
    if (error) {
      this.onSent(error)
      return
    }
    this.emit('drain')
    this.setWritable(true)
    this.emit('ready')
  }
}

function adopt(this: Socket): void {
  // Private in the types of the engine, and the same object.
  const connection = this as unknown as Connection
  if (connection.transport instanceof WireTransport) connection.transport.adopt(connection)
}

/** Has the engine make these transports for its WebSockets, and each connection served by its transport directly. */
export function useWireTransport(engine: Server): void {
  // Protected in the types of the engine, which has no option for it.
  const factory = engine as unknown as { createTransport(name: string, request: Request): Transport }
  const createTransport = factory.createTransport.bind(engine)
  factory.createTransport = (name, request) =>
    name === 'websocket' ? new WireTransport(request) : createTransport(name, request)

  engine.on('connection', (connection: Socket) => {
    if (connection.transport instanceof WireTransport) adopt.call(connection)
    else connection.once('upgrade', adopt)
  })
}
