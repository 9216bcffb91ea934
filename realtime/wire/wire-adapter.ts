import type { Namespace } from 'socket.io'
import { Adapter, type BroadcastOptions, type Room, type SocketId } from 'socket.io-adapter'
import { Burst } from './burst.ts'
import { frameText } from './frame.ts'
import { SmallSet } from './small-set.ts'
import { WireSocket } from './wire-socket.ts'

/** A message of the engine, as opposed to a ping or an upgrade. */
const MESSAGE = '4'

type Packet = Parameters<Namespace['server']['encoder']['encode']>[0]
type Ack = (...answer: unknown[]) => void

/** A socket of a namespace as an adapter sees it; the types of Socket.IO keep most of it private. */
interface Receiver {
  acks: Map<number, Ack>
  client: {
    conn: { readyState: string; writeBuffer: readonly unknown[]; transport: { writable: boolean; socket?: unknown } }
    writeToEngine(packets: unknown, options: object): void
  }
  notifyOutgoingListeners(packet: Packet): void
}

const NONE: ReadonlySet<string> = new Set()

/**
 * The in-memory adapter, except that a broadcast is framed once for all sockets, and leaves each with the others of the
 * same turn.
 */
export class WireAdapter extends Adapter {
  declare readonly nsp: Namespace

  override addAll(id: SocketId, rooms: Set<Room>): void {
    // Most sockets are in two rooms and alone in that of their own id; every other method takes the sets as they are.
    if (!this.sids.has(id)) this.sids.set(id, new SmallSet())
    for (const room of rooms) if (!this.rooms.has(room)) this.rooms.set(room, new SmallSet())
    void super.addAll(id, rooms)
  }

  override broadcast(packet: Packet, options: BroadcastOptions): void {
    this.forEachReceiver(options, this.createDelivery(packet, options))
  }

  override broadcastWithAck(
    packet: Packet,
    options: BroadcastOptions,
    onCount: (receivers: number) => void,
    ack: Ack,
  ): void {
    const id = this.nsp._ids
    this.nsp._ids += 1
    packet.id = id
    const deliver = this.createDelivery(packet, options)
    let receivers = 0
    this.forEachReceiver(options, (socket) => {
      receivers += 1
      socket.acks.set(id, ack)
      deliver(socket)
    })
    onCount(receivers)
  }

  private createDelivery(packet: Packet, { flags }: BroadcastOptions): (socket: Receiver) => void {
    packet.nsp = this.nsp.name
    const encoded: unknown[] = this.nsp.server.encoder.encode(packet)
    const [text] = encoded
    // Binary data follows in packets of their own.
    const burst = encoded.length === 1 && typeof text === 'string' ? new Burst(frameText(MESSAGE + text)) : undefined
    const sending = { preEncoded: true, volatile: flags?.volatile, compress: flags?.compress }

    return (socket) => {
      socket.notifyOutgoingListeners(packet)
      const { client } = socket
      const { conn } = client
      const { transport } = conn
      if (transport.socket instanceof WireSocket) {
        if (flags?.volatile && (!transport.writable || transport.socket.isHolding)) return
        // The engine sends what waits with it once the connection takes more; nothing may overtake that.
        if (burst !== undefined && conn.readyState === 'open' && conn.writeBuffer.length === 0) {
          transport.socket.hold(burst)
          return
        }
      }
      client.writeToEngine(encoded, sending)
    }
  }

  private forEachReceiver({ rooms, except }: BroadcastOptions, visit: (socket: Receiver) => void): void {
    const excepted = this.unite(except ?? NONE)
    // The types of Socket.IO keep private what an adapter needs of a socket.
    const sockets = this.nsp.sockets as unknown as ReadonlyMap<SocketId, Receiver>
    for (const id of rooms.size > 0 ? this.unite(rooms) : this.sids.keys()) {
      if (excepted.has(id)) continue
      const socket = sockets.get(id)
      // One that is not let in yet may be in rooms already.
      if (socket !== undefined) visit(socket)
    }
  }

  /** The members of all these rooms. */
  private unite(names: ReadonlySet<Room>): ReadonlySet<SocketId> {
    if (names.size === 0) return NONE
    const rooms = [...names].flatMap((name) => this.rooms.get(name) ?? [])
    const [only = NONE] = rooms
    return rooms.length > 1 ? new Set(rooms.flatMap((room) => [...room])) : only
  }
}
