import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Hub, startHub } from './hub.ts'

let hub: Hub
beforeEach(async () => {
  // A ping would be among the frames that are looked at.
  hub = await startHub('wire', { pingIntervalMs: 600_000 })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await hub.open(name, 'websocket')
})
afterEach(() => hub.close())

const announce = (word: string) => hub.io.to('everybody').emit('word', word)

/** Who saw which words, once all that was sent has arrived. */
async function readWords(): Promise<Record<string, string[]>> {
  const members = [...hub.members.values()].filter(({ client }) => client.connected)
  await Promise.all(members.map(({ client }) => client.timeout(30_000).emitWithAck('barrier')))
  const words = (seen: string[]) =>
    seen.filter((line) => line.startsWith('word')).map((line) => line.split(' ')[1] ?? '')
  return Object.fromEntries(members.map(({ name, seen }) => [name, words(seen)]))
}

it('a room is resolved once as long as nobody joins or leaves', async () => {
  announce('first')
  const get = vi.spyOn(hub.io.of('/').sockets, 'get')
  announce('second')

  expect(get).not.toHaveBeenCalled()
  const both = ['first', 'second']
  expect(await readWords()).toEqual({ a: both, b: both, c: both, d: both, e: both })
})

it('a socket that joins is told from then on, and one that leaves no longer', async () => {
  announce('first')
  await hub.open('f', 'polling')
  announce('second')
  await hub.socketOf('a')?.leave('everybody')
  announce('third')

  const all = ['first', 'second', 'third']
  expect(await readWords()).toEqual({ a: all.slice(0, 2), b: all, c: all, d: all, e: all, f: all.slice(1) })
})

it('a socket that left the namespace but not the connection is not told', async () => {
  announce('first')
  hub.socketOf('a')?.disconnect()

  announce('second')
  await expect.poll(() => hub.members.get('a')?.client.connected).toBe(false)

  expect(hub.members.get('a')?.seen).not.toContain('word second')
  const both = ['first', 'second']
  expect(await readWords()).toEqual({ b: both, c: both, d: both, e: both })
})

it('a socket that was in the room before it was admitted is told from then on', async () => {
  hub.io.socketsJoin('hall')
  hub.io.use((socket, next) => {
    void socket.join('hall')
    hub.io.to('hall').emit('word', 'early')
    next()
  })
  await hub.open('f', 'websocket')
  hub.io.to('hall').emit('word', 'late')

  expect(await readWords()).toMatchObject({ a: ['early', 'late'], f: ['late'] })
})

it('a socket that upgrades from polling to a WebSocket is told everything in order', async () => {
  await hub.open('f', 'polling')
  const upgraded = hub.open('g', 'upgraded')
  for (let word = 0; word < 30; word += 1) {
    announce(String(word))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const { client } = await upgraded
  await expect.poll(() => client.io.engine.transport.name, { timeout: 30_000 }).toBe('websocket')
  announce('last')

  const { a, g } = await readWords()
  expect(a).toHaveLength(31)
  // It has all since it came, in order.
  expect(g).toEqual(a?.slice(-(g?.length ?? 0)))
  expect(g?.at(-1)).toBe('last')
})
