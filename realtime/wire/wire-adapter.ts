import type { Namespace } from 'socket.io'
import { Adapter, type BroadcastOptions, type Room, type SocketId } from 'socket.io-adapter'
import { frameText, writeToEngine } from './internals.ts'
import { wireOf } from './wire-socket.ts'

/** A message of the engine, as opposed to a ping or an upgrade. */
const MESSAGE = '4'

type Packet = Parameters<Namespace['server']['encoder']['encode']>[0]

const NOBODY: ReadonlySet<SocketId> = new Set()

/** An in-memory adapter that frames a broadcast once, and writes the broadcasts of one turn of a socket together. */
export class WireAdapter extends Adapter {
  declare readonly nsp: Namespace

  override broadcast(packet: Packet, { rooms, except = new Set(), flags = {} }: BroadcastOptions): void {
    packet.nsp = this.nsp.name
    const packets: unknown[] = this.nsp.server.encoder.encode(packet)
    const [text] = packets
    // Binary data follows in packets of its own, and the engine decides about volatile events.
    const isPlain = packets.length === 1 && typeof text === 'string' && !flags.volatile
    const frame = isPlain ? frameText(MESSAGE + text) : undefined
    const options = { preEncoded: true, volatile: flags.volatile, compress: flags.compress } as const
    const excepted = this.membersOf(except)

    for (const id of rooms.size === 0 ? this.sids.keys() : this.membersOf(rooms)) {
      // A socket may be in rooms before it is admitted.
      const socket = excepted.has(id) ? undefined : this.nsp.sockets.get(id)
      if (socket === undefined) continue
      if (frame === undefined || !wireOf(socket.conn)?.enqueue(frame)) writeToEngine(socket, packets, options)
    }
  }

  private membersOf(rooms: ReadonlySet<Room>): ReadonlySet<SocketId> {
    const [room, ...others] = rooms
    if (room === undefined) return NOBODY
    const members = this.rooms.get(room) ?? NOBODY
    return others.length === 0 ? members : new Set([...rooms].flatMap((name) => [...(this.rooms.get(name) ?? [])]))
  }
}
