import { Agent, request } from 'node:http'
import { fileURLToPath } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import { sendRaw } from '../../support/clients/send-raw.ts'
import { useService } from '../../support/service/start-service.ts'

const MEGABYTE = 1024 * 1024

const service = await useService({ functionsFolder: fileURLToPath(new URL('../../fixtures/http/', import.meta.url)) })
const user = await service.caller()

/** A thing as JSON of exactly so many bytes. */
const thingOf = (bytes: number) => `{"name":"${'x'.repeat(bytes - 11)}"}`

describe('the size of a body', () => {
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

  test('the same for a body that comes in chunks without a declared size', async () => {
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

  test('413 where no body is read, too', async () => {
    expect((await service.guest.post('/touch', { body: thingOf(MEGABYTE + 1) })).status).toBe(413)
  })
})

describe('the connection after a refusal', () => {
  /** Sends over one kept-alive connection; the local port of an answer names the connection it came by. */
  function createConnection() {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const send = (method: string, path: string, body = '', given: Record<string, string> = {}) =>
      new Promise<{ status: number | undefined; localPort: number | undefined; text: string }>((resolve, reject) => {
        const size = given['transfer-encoding'] === undefined ? { 'content-length': body.length } : {}
        const headers = { cookie: user.cookie, 'content-type': 'application/json', ...size, ...given }
        const sent = request({ agent, port: service.port, method, path, headers }, async (answer) => {
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
})

describe('the type of a body', () => {
  const post = (contentType: string | undefined, body = '{"name":"a"}') =>
    sendRaw(
      service.port,
      `POST /things HTTP/1.1\r\nHost: x\r\nCookie: ${user.cookie}\r\n${contentType === undefined ? '' : `Content-Type: ${contentType}\r\n`}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
    )

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json ; charset=utf-8',
    'application/json;',
    'application/vnd.api+json',
  ])('201 for %s', async (type) => {
    const answer = await post(type)

    expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
    expect(answer).toContain('{"name":"a","count":1}')
  })

  test.each([
    undefined,
    'text/plain',
    'text/json',
    'application/jsonp',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'json',
    'xapplication/json',
  ])('415 for %s', async (type) => {
    const answer = await post(type)

    expect(answer).toMatch(/^HTTP\/1\.1 415 Unsupported Media Type\r\n/)
    expect(answer).toContain('"message":"Send the body as application/json"')
  })

  test('a sender that goes away in the middle of its body is no fault of the service', async () => {
    const measured = async () => {
      const { values } = await service.deps.metrics.httpDuration.get()
      return values.filter(({ metricName, labels }) => metricName?.endsWith('_count') && labels.route === '/things')
    }
    const count = async () => (await measured()).reduce((sum, { value }) => sum + value, 0)
    const before = await count()
    const head = `POST /things HTTP/1.1\r\nHost: x\r\nCookie: ${user.cookie}\r\nContent-Type: application/json\r\n`
    await sendRaw(service.port, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"nam`, 200).catch(() => undefined)
    await sendRaw(service.port, `${head}Content-Length: 50\r\n\r\n{"nam`, 200).catch(() => undefined)

    await vi.waitFor(async () => expect(await count()).toBe(before + 2), 10_000)
    expect((await measured()).filter(({ labels }) => labels.status === 500)).toEqual([])
  })
})
