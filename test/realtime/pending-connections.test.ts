import { get } from 'node:http'
import { text } from 'node:stream/consumers'
import { io } from 'socket.io-client'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { connectionsOf } from '../../realtime/wire/internals.ts'
import { openRaw, openRawNamespace } from '../support/clients/raw-socket.ts'
import { startRealtime, type TestRealtime } from '../support/service/start-realtime.ts'
import { useService } from '../support/service/start-service.ts'
import { usedHeap } from '../support/tools/used-heap.ts'

const POLLING = '/socket.io/?EIO=4&transport=polling'
const WAIT = { timeout: 30_000 }
const PENDING_MAX = 200

let realtime: TestRealtime
const service = await useService()
beforeEach(() => start(600_000))
afterEach(() => realtime.close())

async function start(pendingMs: number) {
  realtime = await startRealtime({ ...service.deps, config: { ...service.deps.config, trustProxy: 1 } }, { pendingMs })
}

const handshake = (address: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const options = { agent: false, headers: { 'x-forwarded-for': address, ...headers } }
    get(realtime.baseUrl + POLLING, options, async (answer) =>
      resolve({ status: answer.statusCode, body: await text(answer) }),
    ).on('error', reject)
  })

/** Opens as many connections as an address may have that are not admitted. */
async function fill(address: string): Promise<void> {
  const answers = await Promise.all(Array.from({ length: PENDING_MAX }, () => handshake(address)))
  expect(answers.every(({ status }) => status === 200)).toBe(true)
}

it('one address, or one /64 of IPv6, has 200 connections that no namespace admitted, and further handshakes are refused', async () => {
  await fill('2001:db8::1')

  const refused = await handshake('2001:db8::2')
  expect(refused.status).toBe(403)
  expect(refused.body).toBe('{"code":4,"message":"Too many requests, try again later"}')
  const refusedSocket = openRaw(realtime.port, { headers: { 'x-forwarded-for': '2001:db8::2' } })
  await expect(refusedSocket).rejects.toThrow('Unexpected server response: 400')
  expect(await realtime.countReasons('handshakesRefused')).toEqual({ 'Too many requests, try again later': 2 })
  expect((await handshake('2001:db8:0:1::1')).status).toBe(200)
})

it('an admitted connection that polls without a session still counts, and one of a user does not', async () => {
  const admit = async (cookie?: string) => {
    const { body } = await handshake('192.0.2.1', cookie === undefined ? {} : { cookie })
    const { sid } = JSON.parse(body.slice(1))
    const path = cookie === undefined ? '/comments' : '/royal'
    const sent = await fetch(`${realtime.baseUrl}${POLLING}&sid=${sid}`, { method: 'POST', body: `40${path},` })
    expect(await sent.text()).toBe('ok')
    await expect.poll(() => realtime.io.of(path).sockets.size, WAIT).toBeGreaterThan(0)
  }
  const { cookie } = await service.caller()
  await admit(cookie)
  await Promise.all(Array.from({ length: PENDING_MAX }, () => admit()))

  await expect.poll(() => realtime.io.of('/comments').sockets.size, WAIT).toBe(PENDING_MAX)
  expect((await handshake('192.0.2.1')).status).toBe(403)
})

it('a connection that continues over WebSocket after polling makes room', async () => {
  const clients = Array.from({ length: 5 }, () =>
    io(`${realtime.baseUrl}/comments`, { forceNew: true, extraHeaders: { 'x-forwarded-for': '192.0.2.1' } }),
  )
  await expect.poll(() => clients.every(({ io }) => io.engine.transport.name === 'websocket'), WAIT).toBe(true)
  await expect.poll(() => realtime.io.of('/comments').sockets.size, WAIT).toBe(5)

  await fill('192.0.2.1')
  expect((await handshake('192.0.2.1')).status).toBe(403)
  for (const client of clients) client.disconnect()
})

it('a connection that is admitted or closed makes room', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.1' }
  const admitted = await Promise.all(
    Array.from({ length: 5 }, () => openRawNamespace(realtime.port, '/comments', { headers })),
  )
  const closing = await openRaw(realtime.port, { headers })
  await fill('192.0.2.9')
  await Promise.all(Array.from({ length: PENDING_MAX - 1 }, () => handshake('192.0.2.1')))
  expect((await handshake('192.0.2.1')).status).toBe(403)

  closing.tcp.destroy()
  await expect.poll(async () => (await handshake('192.0.2.1')).status, WAIT).toBe(200)
  for (const { tcp } of admitted) tcp.destroy()
})

it('a connection that no namespace admits in time is closed', async () => {
  await realtime.close()
  await start(1_000)
  const [pending, admitted] = await Promise.all([
    openRaw(realtime.port),
    openRawNamespace(realtime.port, '/comments'),
    handshake('192.0.2.1'),
  ])
  await pending.closed

  await expect.poll(() => Object.keys(connectionsOf(realtime.io)), WAIT).toHaveLength(1)
  expect(await realtime.countReasons('socketsDisconnected')).toEqual({ 'not-admitted': 2 })
  admitted.send('42/comments,1["discussion:join",{}]')
  expect(await admitted.next()).toBe('43/comments,1[{"ok":false,"error":"Invalid game id"}]')
  admitted.tcp.destroy()
})

const TOKEN = `${'h'.repeat(20)}.${'p'.repeat(200)}.${'s'.repeat(43)}`

it('large headers of a handshake are not held in memory', async () => {
  const open = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, index) =>
        handshake(`192.0.2.${index % 100}`, {
          cookie: `fill=${String(index).padEnd(15_000, 'x')}; accessSessionToken=${TOKEN}`,
        }),
      ),
    )
  await open(100)
  const before = usedHeap()
  await open(300)

  await expect.poll(() => usedHeap() - before, WAIT).toBeLessThan(4 * 1024 * 1024)
})
