import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ask, countSockets, openClient, untilConnected } from '../support/clients/clients.ts'
import { openRaw, openRawNamespace, type RawSocket, upgradeRequest } from '../support/clients/raw-socket.ts'
import { useService } from '../support/service/start-service.ts'
import { usedHeap } from '../support/tools/used-heap.ts'

const GAME = 'ab'.repeat(12)
const EVENTS = [
  'discussion:join',
  'discussion:leave',
  'royal:sync',
  'royal:add',
  'royal:remove',
  'royal:set',
  'royal:move',
]
const PAYLOADS: unknown[] = [
  null,
  1e308,
  'constructor',
  [],
  {},
  { gameId: {} },
  { gameIds: { length: 1e9 } },
  { gameIds: [[GAME]], position: [] },
  { gameIds: Array(2000).fill(null) },
  { gameId: 'x'.repeat(30_000) },
  { toString: null, valueOf: null },
]
const NAMES = ['unknown', '', 'error', 'connection', 'constructor', '__proto__', 'toString', 'x'.repeat(5_000), 7, -1.5]

/** Messages that break no rule of the engine, so that the connection stays. */
const STRANGE_PACKETS = [
  ...NAMES.flatMap((name) => PAYLOADS.map((payload) => `42/comments,${JSON.stringify([name, payload, 'ack'])}`)),
  ...EVENTS.flatMap((name) => PAYLOADS.map((payload) => `42/comments,${JSON.stringify([name, payload, 5])}`)),
  '42/comments,["discussion:join",{"__proto__":{"gameId":"abababababababababababab"}}]',
  `42/comments,["discussion:join",${'['.repeat(5_000)}${']'.repeat(5_000)}]`,
  '0',
  '1',
  '5',
  '42/comments,',
  '43/comments,99[{"ok":true}]',
  '40/royal,',
  '40/nowhere,{"token":"x"}',
]

/** Messages after which the connection is closed. */
const BROKEN_PACKETS = [
  '',
  '2',
  '4',
  '42/comments,[]',
  '42/comments,["disconnect"]',
  '42/comments,["newListener","x"]',
  '42/comments,["discussion:join",{',
  '42["discussion:join",{}]',
  '44/comments,{"message":"no"}',
  '451-/comments,["discussion:join"',
  '4511-/comments,["discussion:join",{"_placeholder":true,"num":0}]',
  '45-1-/comments,["discussion:join"]',
  '451e9-/comments,["discussion:join"]',
]

async function usedMemory(): Promise<number> {
  for (let round = 0; round < 2; round += 1) {
    usedHeap()
    await delay(20)
  }
  return usedHeap() + process.memoryUsage().external
}

const service = await useService()

const isAnswering = async () => {
  const socket = await untilConnected(openClient(service.baseUrl, '/comments'))
  expect(await ask(socket, 'discussion:join', { gameId: GAME })).toEqual({ ok: true })
  socket.disconnect()
}

const openComments = () => openRawNamespace(service.port, '/comments')

it('a socket stays open after strange packets', async () => {
  const raw = await openComments()
  for (const packet of STRANGE_PACKETS) raw.send(packet)
  raw.send(`42/comments,77["discussion:join",{"gameId":"${GAME}"}]`)

  let message = await raw.next()
  while (message.startsWith('44')) message = await raw.next()
  expect(message).toBe('43/comments,77[{"ok":true}]')
  raw.tcp.destroy()
})

it.each(BROKEN_PACKETS)('the connection is closed after the packet %j', async (packet) => {
  const raw = await openComments()
  raw.send(packet)

  await raw.closed
  await isAnswering()
})

it('the connection is closed after unexpected binary or text', async () => {
  const [unannounced, missing] = await Promise.all([openComments(), openComments()])
  unannounced.sendBinary(Buffer.alloc(100))
  missing.send('451-/comments,["discussion:join",{"_placeholder":true,"num":0}]')
  missing.send(`42/comments,["discussion:join",{"gameId":"${GAME}"}]`)

  await Promise.all([unannounced.closed, missing.closed])
  await isAnswering()
})

it('the connection is closed after malformed frames', async () => {
  const frames = [
    Buffer.from([0x81, 0x02, 0x34, 0x32]), // not masked
    Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from([0x81, 0x82, 0, 0, 0, 0, 0xff, 0xfe]), // no UTF-8
    Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]), // endless
    Buffer.from([0x80, 0x80, 0, 0, 0, 0]), // a continuation of nothing
    Buffer.from('GET / HTTP/1.1\r\n\r\n'),
  ]
  for (const bytes of frames) {
    const raw = await openComments()
    raw.sendBytes(bytes)
    await raw.closed
  }
  await isAnswering()
})

it('the service answers after malformed handshakes', async () => {
  const paths = ['?', '?EIO=4', '?EIO=4&transport=websocket&sid=__proto__', '?EIO=4&transport=polling&sid=', '?%', '\\']
  for (const path of paths) {
    const tcp = connect(service.port, '127.0.0.1')
    tcp.on('error', () => {})
    tcp.on('data', () => {})
    tcp.write(upgradeRequest({ path: `/socket.io/${path}` }))
    tcp.end()
    await new Promise((resolve) => tcp.once('close', resolve))
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      await fetch(`${service.baseUrl}/socket.io/${path}`, { method })
    }
  }
  await isAnswering()
})

it('no memory and no socket is kept after all these messages', async () => {
  const flood = async () => {
    const sockets: RawSocket[] = await Promise.all(Array.from({ length: 8 }, openComments))
    for (const raw of sockets) {
      raw.tcp.removeAllListeners('data')
      raw.tcp.resume()
      for (let n = 0; n < 400; n += 1) {
        raw.send(`42/comments,${n}["discussion:join",{"gameId":"${n.toString(16).padStart(24, '0')}"}]`)
      }
      for (const packet of STRANGE_PACKETS) raw.send(packet)
      for (let n = 0; n < 20; n += 1) raw.send(`42/comments,["noise","${'x'.repeat(60_000)}"]`)
      // The last message ends the connection: it is too large, and not the announced one.
      raw.send('452-/comments,["discussion:join",{"_placeholder":true,"num":0}]')
      raw.sendBinary(Buffer.alloc(1024 * 1024))
    }
    await Promise.all(sockets.map(({ closed }) => closed))
    for (let n = 0; n < 20; n += 1) {
      const half = await openRaw(service.port)
      half.send('40/comments,')
      half.tcp.destroy()
    }
    await expect
      .poll(() => countSockets(service), { timeout: 30_000 })
      .toEqual({ '/comments': 0, '/royal': 0, '/conflicts': 0, '/notifications': 0 })
  }
  // The first round warms caches and the compiler up.
  await flood()
  const before = await usedMemory()
  for (let round = 0; round < 2; round += 1) await flood()

  await expect.poll(async () => (await usedMemory()) - before, { timeout: 30_000 }).toBeLessThan(4 * 1024 * 1024)
  await isAnswering()
})
