import { once } from 'node:events'
import type { RequestListener, Server, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import type { Logger } from '#lib/infrastructure/observability/log'
import { createHttpServer } from '#lib/web/http/create-http-server'
import { listen } from '#lib/web/http/listen'
import { captureLog } from '../../../support/service/capture-log.ts'

const MEGABYTE = 1024 * 1024
const REQUEST = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'

let http: Server
let clients: Socket[] = []
let served: Socket[] = []

afterEach(async () => {
  for (const client of clients) client.destroy()
  http.closeAllConnections()
  await new Promise((resolve) => http.close(resolve))
  clients = []
  served = []
})

async function serve(
  listener: RequestListener,
  { log = captureLog().log, ...options }: { timeoutMs?: number; trustProxy?: number; log?: Logger } = {},
) {
  http = createHttpServer(listener, { log, ...options })
  http.on('connection', (socket) => served.push(socket))
  return await listen(http, { port: 0, host: '127.0.0.1' })
}

function openClient(port: number): Socket {
  const client = connect(port, '127.0.0.1').on('error', () => {})
  clients.push(client)
  return client
}

/** Sends a request and reads no answer. */
async function sendUnread(port: number, request = REQUEST) {
  const client = openClient(port)
  await once(client, 'connect')
  client.pause()
  client.write(request)
  return client
}

const unreadBytes = () => served.reduce((sum, socket) => sum + (socket.destroyed ? 0 : socket.writableLength), 0)
/** Answers with more bytes than the kernel buffers for a client that does not read. */
const answerLarge: RequestListener = (_, response) => response.end(Buffer.alloc(6 * MEGABYTE))

it('40 unread answers of one address stay below 8 MB together, and another address is not cut for them', async () => {
  const answered = vi.fn()
  const port = await serve(
    (request, response) => {
      answered()
      answerLarge(request, response)
    },
    { trustProxy: 1 },
  )
  const from = (address: string) => REQUEST.replace('\r\n\r\n', `\r\nX-Forwarded-For: ${address}\r\n\r\n`)
  await sendUnread(port, from('203.0.113.9'))
  let most = 0
  for (let count = 0; count < 40; count++) {
    await sendUnread(port, from('203.0.113.7'))
    await expect.poll(() => answered.mock.calls.length).toBe(count + 2)
    most = Math.max(most, unreadBytes())
  }

  const [other, ...flooding] = served
  expect(other?.destroyed).toBe(false)
  expect(most - (other?.writableLength ?? 0)).toBeLessThan(8 * MEGABYTE)
  expect(flooding.filter(({ destroyed }) => destroyed).length).toBeGreaterThan(35)
})

it('pipelined requests of a connection beyond the first 8 wait unread, and are all answered in their order', async () => {
  const count = 6_000
  const underWay: ServerResponse[] = []
  let isAnswering = false
  const port = await serve((request, response) => {
    if (isAnswering) response.end(request.url)
    else underWay.push(response.setHeader('X-Path', request.url ?? ''))
  })
  const client = await sendUnread(port, '')
  client.write(Array.from({ length: count }, (_, index) => REQUEST.replace('/', `/${index}.`)).join(''))
  await expect.poll(() => underWay).toHaveLength(8)
  // While the service does not read, the client can only fill the buffers of both systems.
  const read = () => served[0]?.bytesRead ?? 0
  await sleep(200)
  expect(underWay).toHaveLength(8)
  expect(read()).toBeLessThan(2 * 65_536)

  let text = ''
  client.on('data', (bytes) => {
    text += bytes
  })
  client.resume()
  isAnswering = true
  for (const response of underWay) response.end(String(response.getHeader('X-Path')))
  await expect.poll(() => text.endsWith(`/${count - 1}.`), { timeout: 60_000 }).toBe(true)
  const answered = [...text.matchAll(/\r\n\r\n\/(\d+)\./g)].map(([, index]) => Number(index))
  expect(answered).toEqual(Array.from({ length: count }, (_, index) => index))
})

it('the bytes of a connection that is gone are forgotten, those of answers behind an unread one included', async () => {
  const { log, lines } = captureLog()
  const port = await serve(answerLarge, { log })
  for (let count = 0; count < 5; count++) await sendUnread(port, REQUEST.repeat(20))
  await expect.poll(() => served.filter(({ destroyed }) => destroyed).length).toBeGreaterThanOrEqual(4)
  for (const client of clients) client.destroy()
  await expect.poll(() => served.every(({ destroyed }) => destroyed)).toBe(true)
  await sendUnread(port)
  // This takes two sweeps.
  await sleep(2_200)
  expect(lines.length).toBeLessThanOrEqual(5)
  expect(served[5]?.destroyed).toBe(false)
  expect(served[5]?.writableLength).toBeGreaterThan(0)
})

it('an answer is cut while its client does not read it, and continues while it is read slowly', async () => {
  const port = await serve(answerLarge, { timeoutMs: 1_000 })
  await sendUnread(port)
  const slow = openClient(port)
  slow.write(REQUEST)
  let read = 0
  slow.on('data', (bytes) => {
    read += bytes.length
    slow.pause()
    setTimeout(() => slow.resume(), 5)
  })
  await once(slow, 'data')

  await expect.poll(() => served[0]?.destroyed, { timeout: 20_000 }).toBe(true)
  await expect.poll(() => read, { timeout: 40_000 }).toBeGreaterThan(6 * MEGABYTE)
})

it.each([
  ['a head', 'POST / HTTP/1.1\r\n'],
  ['a body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n'],
])('408 for %s that trickles, when its time is over', async (_, begin) => {
  const port = await serve(
    (request, response) => {
      request.resume().on('end', () => response.end())
    },
    { timeoutMs: 1_000 },
  )
  const client = openClient(port)
  client.write(begin)
  const trickle = setInterval(() => client.write('x'), 100)
  let text = ''
  client.on('data', (bytes) => {
    text += bytes
  })
  await once(client, 'close')
  clearInterval(trickle)
  expect(text).toMatch(/^HTTP\/1\.1 408 /)
})

it('a request has 30 s, and its head 32 KB', async () => {
  const port = await serve((request, response) => response.end(String(request.url?.length)))
  expect([http.requestTimeout, http.headersTimeout]).toEqual([30_000, 30_000])
  const answer = await fetch(`http://127.0.0.1:${port}/${'x'.repeat(30_000)}`)
  expect(await answer.text()).toBe('30001')
})
