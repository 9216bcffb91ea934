import { Agent, request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { request } from 'undici'
import { expect, test, vi } from 'vitest'
import { sendRaw } from '../../../support/clients/send-raw.ts'
import { HTTP_FIXTURES, useService } from '../../../support/service/start-service.ts'

const MEGABYTE = 1024 * 1024

const service = await useService({ functionsFolder: HTTP_FIXTURES })
const user = await service.caller()

/** Makes a thing whose JSON has this number of bytes. */
const thingOf = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`

test('201 at exactly 1 MB, 413 one byte above', async () => {
  const fitting = await user.post('/things', { body: thingOf(MEGABYTE) })
  const larger = await user.post('/things', { body: thingOf(MEGABYTE + 1) })

  expect(fitting.status).toBe(201)
  expect(larger.status).toBe(413)
  expect(larger.body).toEqual({
    statusCode: 413,
    error: 'Payload Too Large',
    message: 'The body has more than 1 MB',
  })
})

test('413 for a body in chunks that is too large, without a declared size', async () => {
  const send = (bytes: number) =>
    fetch(`${service.baseUrl}/things`, {
      method: 'POST',
      headers: { cookie: user.cookie, 'content-type': 'application/json' },
      body: new Blob([thingOf(bytes)]).stream(),
      duplex: 'half',
    })
  const fitting = await send(MEGABYTE)
  const larger = await send(MEGABYTE + 1)

  expect(fitting.status).toBe(201)
  expect(await fitting.json()).toMatchObject({ count: 1 })
  expect(larger.status).toBe(413)
  expect(await larger.json()).toMatchObject({ statusCode: 413 })
})

test('413 for a body that never ends, and the connection is closed', async () => {
  const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
  const head = `POST /things HTTP/1.1\r\nHost: x\r\nCookie: ${user.cookie}\r\nContent-Type: application/json\r\n`
  const endless = [`${head}Transfer-Encoding: chunked\r\n\r\n`, ...Array.from({ length: 200 }, () => chunk)]
  const answer = await sendRaw(service.port, endless)

  expect(answer).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/)
  expect(answer).toMatch(/\r\nconnection: close\r\n/i)
})

test('413 above 16 KB where the endpoint reads no body', async () => {
  expect((await service.guest.post('/touch', { body: thingOf(16 * 1024) })).status).toBe(200)
  const refused = await service.guest.post('/touch', { body: thingOf(16 * 1024 + 1) })
  expect(refused).toMatchObject({ status: 413, body: { message: 'The body has more than 16 KB' } })
})

const nested = (levels: number) => `{"name":"a","more":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
/** Makes a body with this number of values: the body, its name and its list are the first three. */
const listing = (values: number) => `{"name":"a","more":[${Array(values - 3).fill('[ ]')}]}`

test.each([
  ['64 levels', nested(64)],
  ['20,000 values', listing(20_000)],
  ['brackets and commas in a text', `{"name":${JSON.stringify(`\\"${'[,{'.repeat(30_000)}\\`)}}`],
])('201 for %s', async (_, body) => {
  expect((await user.post('/things', { body })).status).toBe(201)
})

test.each([
  ['65 levels', nested(65), 'The body has more than 64 levels'],
  ['many levels that never end', '[{"a":'.repeat(100_000), 'The body has more than 64 levels'],
  ['20,001 values', listing(20_001), 'The body has more than 20000 values'],
])('400 for %s, before it is parsed', async (_, body, message) => {
  const parse = vi.spyOn(JSON, 'parse')
  const { statusCode, body: answer } = await request(`${service.baseUrl}/things`, {
    method: 'POST',
    headers: { cookie: user.cookie, 'content-type': 'application/json' },
    body,
  })
  const text = await answer.text()
  expect(parse).not.toHaveBeenCalledWith(body)
  parse.mockRestore()
  expect([statusCode, JSON.parse(text).message]).toEqual([400, message])
})

const LIMIT = 600

test('429 with Retry-After after 600 refused bodies of a user in a minute, also for valid ones; other users are served', async () => {
  const [sender, other] = [await service.caller(), await service.caller()]
  const post = (caller: typeof sender, request: Parameters<typeof sender.post>[1] = { body: { name: 'a' } }) =>
    caller.post('/things', request)
  const refused = [
    { body: { name: '' } },
    { body: '{' },
    { body: '{}', headers: { 'content-type': 'text/plain' } },
    { body: '['.repeat(65) },
    { body: thingOf(MEGABYTE + 1) },
  ]
  for (let count = refused.length; count < LIMIT; count++) await service.deps.limits.refusedBodies.consume(sender.id)
  const statuses: number[] = []
  for (const request of refused) {
    expect((await post(sender)).status).toBe(201)
    // `/touch` reads no session, so its refusals count for the address.
    expect((await sender.post('/touch', { body: thingOf(16 * 1024 + 1) })).status).toBe(413)
    statuses.push((await post(sender, request)).status)
  }

  expect(statuses).toEqual([400, 400, 415, 400, 413])
  const late = await post(sender)
  expect(late).toMatchObject({ status: 429, body: { statusCode: 429, error: 'Too Many Requests' } })
  expect(Number(late.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await post(other)).status).toBe(201)
})

test('429 before the body is read where the limit of the endpoint is used up', async () => {
  const { deps, caller } = await useService()
  const sender = await caller()
  const send = () => sender.put(`/user/presets/${sender.id}`, { body: '{' })
  const before = await send()
  for (let count = 0; count < 60; count++) await deps.limits.presets.consume(sender.id)

  expect([before.status, (await send()).status]).toEqual([400, 429])
})

test('429 when the bodies of one address exceed 8 MB together; a finished one makes room', async () => {
  const proxied = await useService({ functionsFolder: HTTP_FIXTURES, env: { TRUST_PROXY: '1' } })
  const sender = await proxied.caller()
  const send = (address: string) =>
    sender.post('/things', { body: thingOf(MEGABYTE), headers: { 'x-forwarded-for': address } })
  const reads = vi.spyOn(proxied.deps.limits.refusedBodies, 'assertLeft')
  const trickling = Array.from({ length: 8 }, (_, index) => {
    const client = connect(proxied.port, '127.0.0.1')
    const head = `POST /things HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 2001:db8::${index}\r\nCookie: ${sender.cookie}`
    client.write(`${head}\r\nContent-Type: application/json\r\nContent-Length: ${MEGABYTE}\r\n\r\n{`)
    return client
  })
  // A request is checked twice: after its head, and before its bytes are read.
  await expect.poll(() => reads.mock.calls.length).toBe(16)

  expect(await send('2001:db8::9')).toMatchObject({ status: 429, body: { error: 'Too Many Requests' } })
  expect((await send('2001:db8:1::9')).status).toBe(201)
  trickling[0]?.destroy()
  await expect.poll(async () => (await send('2001:db8::9')).status).toBe(201)
  for (const client of trickling) client.destroy()
})

/** Sends over one kept-alive connection. The local port identifies the connection of an answer. */
function createConnection() {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (method: string, path: string, body = '', more: Record<string, string> = {}) =>
    new Promise<{ status: number | undefined; localPort: number | undefined; text: string }>((resolve, reject) => {
      const usual = { cookie: user.cookie, 'content-type': 'application/json', 'content-length': body.length }
      const headers = { ...usual, ...more }
      const sent = openRequest({ agent, port: service.port, method, path, headers }, async (answer) => {
        let text = ''
        for await (const chunk of answer) text += chunk
        resolve({ status: answer.statusCode, localPort: sent.socket?.localPort, text })
      })
      sent.on('error', reject)
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

test.each([
  ['413', '/things', { 'content-type': 'application/json' }],
  ['415', '/things', { 'content-type': 'text/plain' }],
  ['404', '/nothing', {}],
  ['401', '/things', { cookie: '' }],
])('%s with a large body leaves the connection usable', async (status, path, headers) => {
  const connection = createConnection()
  const refused = await connection.send('POST', path, thingOf(2 * MEGABYTE), headers)
  const next = await connection.send('POST', '/things', '{"name":"a"}')
  connection.close()

  expect(refused.status).toBe(Number(status))
  expect(next.status).toBe(201)
  expect(JSON.parse(next.text)).toEqual({ name: 'a', count: 1 })
})

test('a body that an endpoint does not read is not taken for the next request', async () => {
  const connection = createConnection()
  const first = await connection.send('POST', '/touch', 'GET /whoami HTTP/1.1\r\nHost: x\r\n\r\n')
  const second = await connection.send('GET', '/whoami', 'ignored')
  const third = await connection.send('DELETE', '/nothing', '{"a":1}')
  connection.close()

  expect([first.status, second.status, third.status]).toEqual([200, 200, 404])
  expect(JSON.parse(first.text)).toEqual({ isTouched: true })
  expect(JSON.parse(second.text)).toMatchObject({ userName: user.user?.userName })
  expect(new Set([first.localPort, second.localPort, third.localPort]).size).toBe(1)
})

/** Sends a thing as this type, or without a type. */
function sendAs(contentType: string | undefined): Promise<string> {
  const body = '{"name":"a"}'
  const type = contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`
  const head = `POST /things HTTP/1.1\r\nHost: x\r\nCookie: ${user.cookie}\r\n${type}Content-Length: ${body.length}`
  return sendRaw(service.port, `${head}\r\nConnection: close\r\n\r\n${body}`)
}

test.each([
  'application/json',
  'application/json; charset=utf-8',
  'application/json ; charset=utf-8',
  'application/vnd.api+json',
])('201 for %s', async (type) => {
  const answer = await sendAs(type)

  expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  expect(answer).toContain('{"name":"a","count":1}')
})

test.each([undefined, 'text/plain', 'application/jsonp', 'application/x-www-form-urlencoded'])(
  '415 for %s',
  async (type) => {
    const answer = await sendAs(type)

    expect(answer).toMatch(/^HTTP\/1\.1 415 Unsupported Media Type\r\n/)
    expect(answer).toContain('"message":"Send the body as application/json"')
  },
)
