import { Socket as TcpSocket } from 'node:net'
import type { Socket } from 'socket.io'
import { afterAll, expect, it } from 'vitest'
import {
  connectionsOf,
  frameText,
  queuedPackets,
  sessionIdOf,
  tcpOf,
  webSocketOf,
  writeToEngine,
} from '../../../realtime/wire/internals.ts'
import { WireSocket } from '../../../realtime/wire/wire-socket.ts'
import { startHub } from './hub.ts'

const sids = new Set<string | undefined>()
// A ping would be among the queued packets.
const hub = await startHub('wire', { pingIntervalMs: 600_000 })
hub.io.engine.use((request: Parameters<typeof sessionIdOf>[0], _answer: unknown, next: () => void) => {
  sids.add(sessionIdOf(request))
  next()
})
await hub.open('polling', 'polling')
await hub.open('websocket', 'websocket')
afterAll(() => hub.close())

function socketOf(name: string): Socket {
  const socket = hub.socketOf(name)
  if (socket === undefined) throw new Error(`${name} is not connected`)
  return socket
}

it('the connections of the engine, and the id of the one that a request belongs to', () => {
  const connections = connectionsOf(hub.io)

  expect(Object.values(connections)).toEqual([socketOf('polling').conn, socketOf('websocket').conn])
  expect(sids).toEqual(new Set([undefined, Object.keys(connections)[0]]))
})

it('the WebSocket of a connection, and its TCP connection', () => {
  const webSocket = webSocketOf(socketOf('websocket').conn)

  expect(webSocket).toBeInstanceOf(WireSocket)
  expect(webSocket && tcpOf(webSocket)).toBeInstanceOf(TcpSocket)
  expect(webSocketOf(socketOf('polling').conn)).toBeUndefined()
})

it.each(['polling', 'websocket'])('the queue of the engine, over %s', async (name) => {
  const socket = socketOf(name)
  for (const word of ['first', 'second', 'third']) {
    writeToEngine(socket, [`2["word","${word}"]`], { preEncoded: true, volatile: false, compress: false })
  }

  expect(queuedPackets(socket.conn).at(-1)?.data).toBe('2["word","third"]')
  await expect.poll(() => hub.members.get(name)?.seen).toEqual(['word first', 'word second', 'word third'])
  expect(queuedPackets(socket.conn)).toEqual([])
})

it.each([
  [0, [0x81, 0]],
  [125, [0x81, 125]],
  [126, [0x81, 126, 0, 126]],
  [65_535, [0x81, 126, 0xff, 0xff]],
  [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
])('the frame of a text of %i bytes', (bytes, head) => {
  const frame = Buffer.concat([Buffer.from(head), Buffer.alloc(bytes, 'x')])
  expect(frameText('x'.repeat(bytes)).equals(frame)).toBe(true)
})
