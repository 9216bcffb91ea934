import type { Socket as TcpSocket } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { WireSocket } from '../../../realtime/wire/wire-socket.ts'
import { type Hub, startHub } from './hub.ts'

let hub: Hub
beforeAll(async () => {
  hub = await startHub('wire')
  for (const name of ['a', 'b', 'c']) await hub.open(name, 'websocket')
})
afterAll(() => hub.close())
afterEach(() => vi.restoreAllMocks())

/** The TCP connection of a member, on the server. */
function tcpOf(name: string): TcpSocket {
  // Private in the types of Socket.IO and `ws`; a test may look.
  const { conn } = hub.socketOf(name) as unknown as {
    conn: { transport: { socket: WireSocket & { _socket: TcpSocket } } }
  }
  return conn.transport.socket._socket
}

const untilAnswered = (name: string) => hub.members.get(name)?.client.timeout(30_000).emitWithAck('barrier')
const untilQuiet = () => new Promise<void>((resolve) => setImmediate(resolve))
const wordsSeenBy = (name: string) => hub.members.get(name)?.seen.filter((line) => line.startsWith('word'))

it('events of one turn leave in one write, the same bytes for every socket', async () => {
  await untilQuiet()
  const [a, b] = [vi.spyOn(tcpOf('a'), 'write'), vi.spyOn(tcpOf('b'), 'write')]
  for (let event = 0; event < 10; event += 1) hub.io.emit('word', event)
  await untilQuiet()

  expect(a).toHaveBeenCalledTimes(1)
  expect(b).toHaveBeenCalledTimes(1)
  expect(a.mock.calls[0]?.[0]).toBe(b.mock.calls[0]?.[0])
  await untilAnswered('a')
  expect(wordsSeenBy('a')).toEqual(Array.from({ length: 10 }, (_, event) => `word ${event}`))
})

it('a connection whose write throws is closed, and the others are told', async () => {
  const { tcp, seen } = { tcp: tcpOf('b'), seen: wordsSeenBy('c')?.length ?? 0 }
  vi.spyOn(tcp, 'write').mockImplementation(() => {
    throw new Error('broken')
  })
  hub.io.emit('word', 'on')
  await untilAnswered('c')

  expect(wordsSeenBy('c')?.slice(seen)).toEqual(['word on'])
  await expect.poll(() => hub.socketOf('b')).toBeUndefined()
})

it('a volatile event is dropped while others are on their way, and sent when none is', async () => {
  await untilAnswered('a')
  await untilQuiet()
  const seen = wordsSeenBy('a')?.length ?? 0
  hub.io.volatile.emit('word', 'first')
  hub.io.volatile.emit('word', 'dropped')
  await untilAnswered('a')

  expect(wordsSeenBy('a')?.slice(seen)).toEqual(['word first'])
})
