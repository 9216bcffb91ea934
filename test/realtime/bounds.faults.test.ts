import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { connectionsOf, queuedPackets, webSocketOf } from '../../realtime/wire/internals.ts'
import { ask, openClient, untilConnected } from '../support/clients/clients.ts'
import { openRawNamespace } from '../support/clients/raw-socket.ts'
import { type TestRealtime, useRealtime } from '../support/service/start-realtime.ts'
import { useService } from '../support/service/start-service.ts'

const KB = 1024
const MB = 1024 * KB
const GAME = 'ab'.repeat(12)
const POLLING = '/socket.io/?EIO=4&transport=polling'
const WAIT = { timeout: 30_000 }

const service = await useService()
const realtime = await useRealtime(service.deps)

const JOIN = `42/comments,1["discussion:join",{"gameId":"${GAME}"}]`
const JOINED = '43/comments,1[{"ok":true}]'

/** Opens a WebSocket that follows the game. */
async function openJoined() {
  const raw = await openRawNamespace(realtime.port, '/comments')
  raw.send(JOIN)
  expect(await raw.next()).toBe(JOINED)
  return raw
}

async function openPolling(baseUrl: string) {
  const { sid } = JSON.parse((await (await fetch(baseUrl + POLLING)).text()).slice(1))
  const url = `${baseUrl}${POLLING}&sid=${sid}`
  const post = (body: string) => fetch(url, { method: 'POST', body })
  const poll = async () => (await fetch(url)).text()
  await post('40/comments,')
  await poll()
  await post(JOIN)
  expect(await poll()).toBe(JOINED)
  /** True while the service has the session. The request itself is always refused. */
  const isOpen = async () => {
    const answer = await (await fetch(`${baseUrl}/socket.io/?EIO=4&transport=websocket&sid=${sid}`)).text()
    return !answer.includes('Session ID unknown')
  }
  return { sid, post, poll, isOpen }
}

/** A request of exactly so many bytes, engine and packet included. */
function requestOf(bytes: number): string {
  const [head, tail] = [`42/comments,1["discussion:join",{"gameId":"${GAME}","fill":"`, '"}]']
  return head + 'x'.repeat(bytes - head.length - tail.length) + tail
}

it('a message of 64 KB is answered over WebSocket, and one byte more closes the connection without an ack', async () => {
  const raw = await openRawNamespace(service.port, '/comments')
  raw.send(requestOf(64 * KB))
  expect(await raw.next()).toBe(JOINED)
  raw.send(requestOf(64 * KB + 1))

  await expect(raw.next()).rejects.toThrow('closed')
  await raw.closed
})

it('a message of 64 KB is answered over polling, and one byte more closes the connection without an ack', async () => {
  const { post, poll, isOpen } = await openPolling(service.baseUrl)
  expect((await post(requestOf(64 * KB))).status).toBe(200)
  expect(await poll()).toBe(JOINED)
  expect(await isOpen()).toBe(true)

  const held = poll().catch(() => '')
  expect((await post(requestOf(64 * KB + 1))).status).toBe(413)
  expect(await held).not.toContain('43')
  await expect.poll(isOpen, WAIT).toBe(false)
})

it('a message without an end closes the connection as soon as it is too large', async () => {
  const { sid, isOpen } = await openPolling(service.baseUrl)
  const tcp = connect(service.port, '127.0.0.1')
  tcp.on('error', () => {})
  tcp.on('data', () => {})
  const closed = new Promise((resolve) => tcp.once('close', resolve))
  tcp.write(`POST ${POLLING}&sid=${sid} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`)
  const flood = setInterval(() => tcp.write(`4000\r\n${'x'.repeat(16 * KB)}\r\n`), 5)

  await closed
  clearInterval(flood)
  await expect.poll(isOpen, WAIT).toBe(false)
})

const event = { gameId: GAME, commentId: 'cd'.repeat(12), body: 'é'.repeat(5_000), isSpoiler: false, updatedAt: '' }
const EVENT_BYTES = Buffer.byteLength(JSON.stringify(['comment:updated', event]))

/** Counts the bytes that the engine holds for each client. */
const unsentBytes = ({ io }: TestRealtime): number[] =>
  Object.values(connectionsOf(io)).map((connection) =>
    queuedPackets(connection).reduce(
      (bytes, { data = '' }) => bytes + Buffer.byteLength(data),
      webSocketOf(connection)?.bufferedAmount ?? 0,
    ),
  )

it('a client that does not read is disconnected after a few MB at most, and others receive every event', async () => {
  const reader = await untilConnected(openClient(realtime.baseUrl, '/comments'))
  await ask(reader, 'discussion:join', { gameId: GAME })
  let read = 0
  reader.on('comment:updated', () => {
    read += 1
  })
  const stuck = await openJoined()
  stuck.tcp.pause()

  let sent = 0
  let most = 0
  const { sockets } = realtime.io.of('/comments')
  // 5 MB a second. The first MBs vanish in the buffers of the kernel.
  for (; sockets.size > 1 && sent < 6_000; await delay(10)) {
    for (let n = 0; n < 5; n += 1) realtime.emit.comments.updated(event)
    sent += 5
    most = Math.max(most, ...unsentBytes(realtime))
  }

  expect(sockets.size).toBe(1)
  expect(most).toBeGreaterThan(MB / 2)
  expect(most).toBeLessThan(6 * MB)
  // The service drops the connection at once, without the time for an orderly close.
  await expect.poll(realtime.countConnections, WAIT).toBe(1)
  stuck.tcp.resume()
  await stuck.closed

  await ask(reader, 'discussion:join', { gameId: GAME })
  expect(read).toBe(sent)
})

it('a client that stops polling is disconnected', async () => {
  const { isOpen } = await openPolling(realtime.baseUrl)
  for (let sent = 0; sent < 0.9 * MB; sent += EVENT_BYTES) realtime.emit.comments.updated(event)
  await delay(1_200)
  expect(await isOpen()).toBe(true)

  const { unread = 0 } = await realtime.countReasons('socketsDisconnected')
  for (let sent = 0; sent < 0.2 * MB; sent += EVENT_BYTES) realtime.emit.comments.updated(event)
  await expect.poll(isOpen, WAIT).toBe(false)
  expect(await realtime.countReasons('socketsDisconnected')).toMatchObject({ unread: unread + 1 })
})

it('a client that polls without reading the answers is disconnected', async () => {
  const { sid, isOpen } = await openPolling(realtime.baseUrl)
  // The kernel takes less than this, so a part of the answer stays with the service.
  for (let sent = 0; sent < 8 * MB; sent += EVENT_BYTES) realtime.emit.comments.updated(event)
  const tcp = connect(realtime.port, '127.0.0.1')
  tcp.on('error', () => {})
  tcp.pause()
  tcp.write(`GET ${POLLING}&sid=${sid} HTTP/1.1\r\nHost: localhost\r\n\r\n`)

  await expect.poll(isOpen, WAIT).toBe(false)
  tcp.resume()
  await new Promise((resolve) => tcp.once('close', resolve))
})

it('a client that reads slowly, but every event, stays connected', async () => {
  const slow = await openJoined()
  for (let round = 0; round < 20; round += 1) {
    slow.tcp.pause()
    for (let n = 0; n < 60; n += 1) realtime.emit.comments.updated(event)
    await delay(30)
    slow.tcp.resume()
    for (let n = 0; n < 60; n += 1) await slow.next()
  }

  slow.send(JOIN)
  expect(await slow.next()).toBe(JOINED)
  slow.tcp.destroy()
})

it('a client that sends requests without reading the answers is disconnected', async () => {
  const { sockets } = realtime.io.of('/comments')
  await expect.poll(() => sockets.size, WAIT).toBe(0)
  const stuck = await openRawNamespace(realtime.port, '/comments')
  expect(sockets.size).toBe(1)
  stuck.tcp.pause()
  const requests = Array.from({ length: 500 }, (_, n) => `42/comments,${n}["discussion:join",{}]`)
  const closed = new Promise<boolean>((resolve) => stuck.tcp.once('close', () => resolve(true)))
  const flood = setInterval(() => stuck.send(...requests), 3)

  await expect.poll(() => sockets.size, { timeout: 200_000 }).toBe(0)
  clearInterval(flood)
  stuck.tcp.resume()
  expect(await closed).toBe(true)
})
