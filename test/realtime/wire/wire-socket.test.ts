import type { Socket as TcpSocket } from 'node:net'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import type { WireSocket } from '../../../realtime/wire/wire-socket.ts'
import { startHub } from './hub.ts'

// A ping would be among the frames that are looked at.
const hub = await startHub('wire', { pingIntervalMs: 600_000 })
for (const name of ['a', 'b', 'c']) await hub.open(name, 'websocket')
afterAll(() => hub.close())
afterEach(() => vi.restoreAllMocks())

/** The connection of a member, on the server. */
function wireOf(name: string): WireSocket & { _socket: TcpSocket } {
  // Private in the types of Socket.IO and `ws`; a test may look.
  const { conn } = hub.socketOf(name) as unknown as {
    conn: { transport: { socket: WireSocket & { _socket: TcpSocket } } }
  }
  return conn.transport.socket
}

const tcpOf = (name: string) => wireOf(name)._socket

const untilAnswered = (name: string) => hub.members.get(name)?.client.timeout(30_000).emitWithAck('barrier')
const untilQuiet = () => new Promise<void>((resolve) => setImmediate(resolve))
const wordsSeenBy = (name: string) => hub.members.get(name)?.seen.filter((line) => line.startsWith('word'))

it('events of one turn leave in one write, the same bytes for every socket', async () => {
  await untilQuiet()
  const [a, b] = [vi.spyOn(tcpOf('a'), '_write'), vi.spyOn(tcpOf('b'), '_write')]
  for (let event = 0; event < 10; event += 1) hub.io.emit('word', event)
  await untilQuiet()

  expect(a).toHaveBeenCalledTimes(1)
  expect(b).toHaveBeenCalledTimes(1)
  expect(a.mock.calls[0]?.[0]).toBe(b.mock.calls[0]?.[0])
  await untilAnswered('a')
  expect(wordsSeenBy('a')).toEqual(Array.from({ length: 10 }, (_, event) => `word ${event}`))
})

it('bytes that the system does not take at once are counted until it does, and keep their order', async () => {
  await untilAnswered('a')
  await untilQuiet()
  const [wire, tcp, seen] = [wireOf('a'), tcpOf('a'), wordsSeenBy('a')?.length ?? 0]
  const write = tcp._write.bind(tcp)
  const waiting: (() => void)[] = []
  vi.spyOn(tcp, '_write').mockImplementation((...chunk) => void waiting.push(() => write(...chunk)))
  for (let event = 0; event < 3; event += 1) {
    const unsent = wire.bufferedAmount
    hub.io.to('own:a').emit('word', event)
    if (event === 1) hub.socketOf('a')?.emit('word', 'told')
    await untilQuiet()
    // The last one waits in the engine, behind the message that it sent.
    if (event < 2) expect(wire.bufferedAmount).toBeGreaterThan(unsent)
  }

  vi.restoreAllMocks()
  for (const take of waiting) take()
  await untilAnswered('a')
  expect(wordsSeenBy('a')?.slice(seen)).toEqual(['word 0', 'word 1', 'word told', 'word 2'])
  expect(wire.bufferedAmount).toBe(0)
})
