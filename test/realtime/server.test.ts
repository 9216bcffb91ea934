import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, it } from 'vitest'
import { connectionsOf } from '../../realtime/wire/internals.ts'
import { countSockets, openClient, untilConnected, untilRefused } from '../support/clients/clients.ts'
import { openRaw, openRawNamespace, upgradeRequest } from '../support/clients/raw-socket.ts'
import { startRealtime } from '../support/service/start-realtime.ts'
import { FOREIGN_SITE, SITE, useService } from '../support/service/start-service.ts'

const HANDSHAKE = '/socket.io/?EIO=4&transport=polling'
const WAIT = { timeout: 30_000 }
const NO_SOCKETS = { '/comments': 0, '/royal': 0, '/conflicts': 0, '/notifications': 0 }

const service = await useService()

it('200 with the settings of the engine for an allowed origin', async () => {
  const response = await fetch(service.baseUrl + HANDSHAKE, { headers: { origin: SITE } })

  expect(response.status).toBe(200)
  expect(response.headers.get('access-control-allow-origin')).toBe(SITE)
  expect(response.headers.get('access-control-allow-credentials')).toBe('true')
  expect(response.headers.get('x-content-type-options')).toBe('nosniff')
  const body = await response.text()
  expect(body[0]).toBe('0')
  expect(JSON.parse(body.slice(1))).toEqual({
    sid: expect.stringMatching(/^[\w-]{20}$/),
    upgrades: ['websocket'],
    pingInterval: 25_000,
    pingTimeout: 20_000,
    maxPayload: 65_536,
  })
})

it('an answer and a preflight name an allowed origin only', async () => {
  const allowed = async (headers: Record<string, string>, method = 'GET') =>
    (await fetch(service.baseUrl + HANDSHAKE, { method, headers })).headers.get('access-control-allow-origin')
  const preflight = (origin: string) => allowed({ origin, 'access-control-request-method': 'POST' }, 'OPTIONS')

  expect(await allowed({})).toBeNull()
  expect(await allowed({ origin: FOREIGN_SITE })).toBeNull()
  expect(await preflight(FOREIGN_SITE)).toBeNull()
  expect(await preflight(SITE)).toBe(SITE)
})

it('403 for JSONP polling, which bypasses CORS', async () => {
  const response = await fetch(`${service.baseUrl + HANDSHAKE}&j=0`)

  expect(response.status).toBe(403)
})

it('400 for the client library, 404 for the path without its slash and longer names', async () => {
  for (const path of ['/socket.io', '/socket.iox', '/socket.io?EIO=4&transport=polling']) {
    expect((await fetch(service.baseUrl + path)).status, path).toBe(404)
  }
  expect((await fetch(`${service.baseUrl}/socket.io/socket.io.js`)).status).toBe(400)
})

it('a handshake offers no compression of messages and no connection state recovery', async () => {
  const raw = await openRaw(service.port, { headers: { 'Sec-WebSocket-Extensions': 'permessage-deflate' } })
  expect(raw.headers).not.toHaveProperty('sec-websocket-extensions')
  await raw.next()
  raw.send('40/comments,')
  // The answer of a server with recovery has a `pid`, too.
  expect(JSON.parse((await raw.next()).slice('40/comments,'.length))).toEqual({ sid: expect.any(String) })
  raw.tcp.destroy()
})

it('a path prefix, the root and anything else are an invalid namespace', async () => {
  for (const namespace of ['/v1/comments', '/v1/royal', '/', '', '/comments/', '/Comments', '/unknown']) {
    const socket = openClient(service.baseUrl, namespace)
    expect(await untilRefused(socket), namespace).toBe('Invalid namespace')
    socket.disconnect()
  }
})

it('sockets are counted by namespace, up and down', async () => {
  const gauge = () => countSockets(service)
  await expect.poll(gauge, WAIT).toEqual(NO_SOCKETS)

  const { cookie } = await service.caller()
  const reader = await untilConnected(openClient(service.baseUrl, '/comments'))
  await untilConnected(openClient(service.baseUrl, '/comments', { transports: ['polling'] }))
  const tab = await untilConnected(openClient(service.baseUrl, '/royal', { cookie }))
  await untilRefused(openClient(service.baseUrl, '/royal'))
  expect(await gauge()).toEqual({ ...NO_SOCKETS, '/comments': 2, '/royal': 1 })

  reader.disconnect()
  tab.disconnect()
  await expect.poll(gauge, WAIT).toEqual({ ...NO_SOCKETS, '/comments': 1 })
})

it('a connection that sends several connects to one namespace is closed', async () => {
  const raw = await openRaw(service.port)
  await raw.next()
  raw.send(...Array(20).fill('40/comments,'))

  await raw.closed
  await expect.poll(() => countSockets(service), WAIT).toEqual(NO_SOCKETS)
})

it('a close does not wait for a client that never answers', async () => {
  const stuck = await startRealtime(service.deps)
  const closing = await openRaw(stuck.port)
  closing.tcp.pause()
  for (const connection of Object.values(connectionsOf(stuck.io))) connection.close()
  const raw = await openRawNamespace(stuck.port, '/comments')
  raw.tcp.pause()
  const { sid } = JSON.parse((await (await fetch(stuck.baseUrl + HANDSHAKE)).text()).slice(1))
  const probing = await openRaw(stuck.port, { path: `/socket.io/?EIO=4&transport=websocket&sid=${sid}` })
  probing.send('2probe')
  expect(await probing.next()).toBe('3probe')
  const nonsense = await openRaw(stuck.port, { path: '/socket.io/?EIO=4&transport=polling' })
  nonsense.tcp.pause()

  const startedAt = performance.now()
  await stuck.close()
  // A close that waits for the clients takes 30 s.
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})

it('503 for an upgrade during the close, also behind a pending request', async () => {
  // This server answers only sockets, so the request keeps its connection open.
  const realtime = await startRealtime(service.deps)
  const tcp = connect(realtime.port, '127.0.0.1')
  const received: string[] = []
  tcp.on('data', (bytes) => received.push(bytes.toString()))
  tcp.write('GET /slow HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(realtime.io.httpServer, 'request')

  const closed = realtime.close()
  tcp.write(upgradeRequest())
  await Promise.all([closed, once(tcp, 'close')])
  expect(received.join('')).toMatch(/^HTTP\/1.1 503 /)
})
