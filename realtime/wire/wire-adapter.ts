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
  id: SocketId
  acks: Map<number, Ack>
  client: {
    conn: { readyState: string; writeBuffer: readonly unknown[]; transport: { writable: boolean; socket?: unknown } }
    writeToEngine(packets: unknown, options: object): void
  }
  notifyOutgoingListeners(packet: Packet): void
}

/** Does something with a socket, whose WebSocket may be known already. */
type Visit = (socket: Receiver, wire?: WireSocket) => void

/** The sockets of a room and the WebSocket of each, side by side: the way from one to the other is four cold objects. */
interface Crowd {
  sockets: readonly Receiver[]
  wires: readonly (WireSocket | undefined)[]
}

/** A smaller room is read anew each time. */
const CROWD_MIN_SIZE = 4

const NONE: ReadonlySet<string> = new Set()

/**
 * The in-memory adapter, except that a broadcast is framed once for all sockets, and leaves each with the others of the
 * same turn.
 */
export class WireAdapter extends Adapter {
  declare readonly nsp: Namespace
  private readonly crowds = new Map<Room, Crowd>()

  override addAll(id: SocketId, rooms: Set<Room>): void {
    // Most sockets are in two rooms and alone in that of their own id; every other method takes the sets as they are.
    if (!this.sids.has(id)) this.sids.set(id, new SmallSet())
    for (const room of rooms) if (!this.rooms.has(room)) this.rooms.set(room, new SmallSet())
    void super.addAll(id, rooms)
    // All of them: one that is let in was in some before, and joins the one of its own id now.
    this.forgetCrowds(id)
  }

  override del(id: SocketId, room: Room): void {
    this.crowds.delete(room)
    void super.del(id, room)
  }

  override delAll(id: SocketId): void {
    this.forgetCrowds(id)
    void super.delAll(id)
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
    this.forEachReceiver(options, (socket, wire) => {
      receivers += 1
      socket.acks.set(id, ack)
      deliver(socket, wire)
    })
    onCount(receivers)
  }

  private createDelivery(packet: Packet, { flags }: BroadcastOptions): Visit {
    packet.nsp = this.nsp.name
    const encoded: unknown[] = this.nsp.server.encoder.encode(packet)
    const [text] = encoded
    // Binary data follows in packets of their own.
    const burst = encoded.length === 1 && typeof text === 'string' ? new Burst(frameText(MESSAGE + text)) : undefined
    const sending = { preEncoded: true, volatile: flags?.volatile, compress: flags?.compress }

    return (socket, wire) => {
      socket.notifyOutgoingListeners(packet)
      if (wire?.isEngineIdle && burst !== undefined && !flags?.volatile) {
        wire.hold(burst)
        return
      }
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

  private forEachReceiver({ rooms, except }: BroadcastOptions, visit: Visit): void {
    const excepted = this.unite(except ?? NONE)
    const [room] = rooms
    if (rooms.size === 1 && room !== undefined && (this.rooms.get(room)?.size ?? 0) >= CROWD_MIN_SIZE) {
      const { sockets, wires } = this.crowds.get(room) ?? this.gatherCrowd(room)
      for (const [index, socket] of sockets.entries()) if (!excepted.has(socket.id)) visit(socket, wires[index])
      return
    }
    for (const socket of this.socketsOf(rooms.size > 0 ? this.unite(rooms) : this.sids.keys())) {
      if (!excepted.has(socket.id)) visit(socket)
    }
  }

  private *socketsOf(ids: Iterable<SocketId>): Iterable<Receiver> {
    // The types of Socket.IO keep private what an adapter needs of a socket.
    const sockets = this.nsp.sockets as unknown as ReadonlyMap<SocketId, Receiver>
    for (const id of ids) {
      const socket = sockets.get(id)
      // One that is not let in yet may be in rooms already.
      if (socket !== undefined) yield socket
    }
  }

  private gatherCrowd(room: Room): Crowd {
    const sockets = [...this.socketsOf(this.rooms.get(room) ?? NONE)]
    const wires = sockets.map(({ client }) => {
      const { socket } = client.conn.transport
      return socket instanceof WireSocket ? socket : undefined
    })
    const crowd = { sockets, wires }
    this.crowds.set(room, crowd)
    return crowd
  }

  private forgetCrowds(id: SocketId): void {
    for (const room of this.sids.get(id) ?? NONE) this.crowds.delete(room)
  }

  /** The members of all these rooms. */
  private unite(names: ReadonlySet<Room>): ReadonlySet<SocketId> {
    if (names.size === 0) return NONE
    const rooms = [...names].flatMap((name) => this.rooms.get(name) ?? [])
    const [only = NONE] = rooms
    return rooms.length > 1 ? new Set(rooms.flatMap((room) => [...room])) : only
  }
}
