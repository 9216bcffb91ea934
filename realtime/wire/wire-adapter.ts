import type { Namespace, Socket } from 'socket.io'
import { Adapter, type BroadcastOptions, type Room, type SocketId } from 'socket.io-adapter'
import { frameText, writeToEngine } from './internals.ts'
import { type WireSocket, wireOf } from './wire-socket.ts'

/** A message of the engine, as opposed to a ping or an upgrade. */
const MESSAGE = '4'

type Packet = Parameters<Namespace['server']['encoder']['encode']>[0]

interface Receiver {
  id: SocketId
  socket: Socket
  /** Cached: saves four pointer dereferences per delivery. */
  wire: WireSocket | undefined
}

type RoomSnapshot = readonly Receiver[]

/**
 * An in-memory adapter that frames a broadcast once for all sockets. Each socket writes the broadcasts of one turn of the
 * event loop together.
 */
export class WireAdapter extends Adapter {
  declare readonly nsp: Namespace
  private readonly snapshots = new Map<Room, RoomSnapshot>()

  override addAll(id: SocketId, rooms: Set<Room>): void {
    void super.addAll(id, rooms)
    // Drops the snapshots of all rooms: a socket can be resolved only once admitted, when it may be in several rooms.
    this.forgetSnapshots(id)
  }

  override del(id: SocketId, room: Room): void {
    this.snapshots.delete(room)
    void super.del(id, room)
  }

  override delAll(id: SocketId): void {
    this.forgetSnapshots(id)
    super.delAll(id)
  }

  override broadcast(packet: Packet, { rooms, except = new Set(), flags = {} }: BroadcastOptions): void {
    packet.nsp = this.nsp.name
    const packets: unknown[] = this.nsp.server.encoder.encode(packet)
    const [text] = packets
    // Binary data follows in packets of its own, and the engine decides about volatile events.
    const isPlain = packets.length === 1 && typeof text === 'string' && !flags.volatile
    const frame = isPlain ? frameText(MESSAGE + text) : undefined
    const options = { preEncoded: true, volatile: flags.volatile, compress: flags.compress } as const
    const excepted = this.membersOf(except)

    for (const { id, socket, wire } of this.receiversIn(rooms)) {
      if (excepted.has(id)) continue
      const target = wire ?? wireOf(socket.conn)
      if (frame === undefined || !target?.enqueue(frame)) writeToEngine(socket, packets, options)
    }
  }

  override broadcastWithAck(): never {
    throw new Error('acknowledged broadcasts are not supported')
  }

  private receiversIn(rooms: ReadonlySet<Room>): RoomSnapshot {
    const [room] = rooms
    if (room === undefined) return this.resolve(this.sids.keys())
    if (rooms.size > 1) return this.resolve(this.membersOf(rooms))
    return this.snapshots.get(room) ?? this.snapshotRoom(room)
  }

  private snapshotRoom(room: Room): RoomSnapshot {
    const members = this.rooms.get(room)
    if (members === undefined) return []
    const snapshot = this.resolve(members)
    this.snapshots.set(room, snapshot)
    return snapshot
  }

  private resolve(ids: Iterable<SocketId>): RoomSnapshot {
    return [...ids].flatMap((id) => {
      // A socket may be in rooms before it is admitted.
      const socket = this.nsp.sockets.get(id)
      return socket === undefined ? [] : [{ id, socket, wire: wireOf(socket.conn) }]
    })
  }

  private forgetSnapshots(id: SocketId): void {
    for (const room of this.sids.get(id) ?? []) this.snapshots.delete(room)
  }

  private membersOf(rooms: ReadonlySet<Room>): ReadonlySet<SocketId> {
    return new Set([...rooms].flatMap((room) => [...(this.rooms.get(room) ?? [])]))
  }
}
