import { expect, test } from 'vitest'
import { sendRaw } from '../../../support/clients/send-raw.ts'
import { HTTP_FIXTURES, useService } from '../../../support/service/start-service.ts'

const ID = 'ABCDEFABCDEFABCDEFABCDEF'
const MALFORMED_ID = { message: 'Invalid id', issues: [{ path: 'id', message: 'Invalid id' }] }

const INDEXNOW_KEY = '0f3c9a71b2d84e56'

const service = await useService({ functionsFolder: HTTP_FIXTURES, env: { INDEXNOW_KEY } })
const user = await service.caller()
const admin = await service.caller({ isAdmin: true })

const tooLarge = JSON.stringify({ name: 'x'.repeat(1024 * 1024) })
const text = { 'content-type': 'text/plain' }

test.each([
  ['404 unknown route before everything', service.guest, '/nothing/here', text, 404, 'Not Found'],
  ['401 before 415, 413 and 400', service.guest, '/things/bad?version=x', text, 401, 'Unauthorized'],
  ['403 below the role before 415, 413 and 400', user, '/things/bad?version=x', text, 403, 'Forbidden'],
  ['415 before 413', admin, '/things/bad?version=x', text, 415, 'Unsupported Media Type'],
  ['413 before 400', admin, '/things/bad?version=x', {}, 413, 'Payload Too Large'],
] as const)('refusals come in order: %s', async (_, caller, path, headers, statusCode, error) => {
  const { status, body } = await caller.put(path, { body: tooLarge, headers })

  expect(status).toBe(statusCode)
  expect(body).toEqual({ statusCode, error, message: expect.any(String) })
})

test('409 for a change under another session than that of x-viewer-id, before 403, naming its user', async () => {
  const as = (viewer: string | undefined) => ({ headers: { ...(viewer && { 'x-viewer-id': viewer }) } })
  const message = `The session is that of ${user.user?.userName}, and the page shows another user`
  const { status, body } = await user.put('/things/bad', { body: {}, ...as(admin.id) })

  expect(status).toBe(409)
  expect(body).toMatchObject({ message, issues: [{ path: 'x-viewer-id', message }] })
  expect((await user.put('/things/bad', { body: {}, ...as(user.id?.toUpperCase()) })).status).toBe(403)
  expect((await service.guest.put('/things/bad', { body: {}, ...as(user.id) })).status).toBe(401)
  expect((await user.get('/whoami', as(admin.id))).status).toBe(200)
})

test('405 before 401, naming the methods there are', async () => {
  const { status, headers, body } = await service.guest.delete(`/things/bad`, { body: tooLarge, headers: text })

  expect(status).toBe(405)
  expect(headers.get('allow')).toBe('GET, HEAD, PUT, OPTIONS')
  expect(body).toEqual({ statusCode: 405, error: 'Method Not Allowed', message: expect.any(String) })
})

test('400 for the path, then the query, then the body', async () => {
  const body = { name: 7 }
  const badPath = await admin.put('/things/bad?version=x', { body })
  const badQuery = await admin.put(`/things/${ID}?version=x`, { body })
  const badBody = await admin.put(`/things/${ID}?version=2`, { body })

  expect(badPath).toMatchObject({ status: 400, body: MALFORMED_ID })
  expect(badQuery).toMatchObject({ status: 400, body: { message: 'version is a whole number from 1 to 9' } })
  expect(badBody).toMatchObject({ status: 400, body: { message: 'A thing has a name' } })
})

test('404 for a missing thing after every other refusal', async () => {
  const { status, body } = await admin.put(`/things/${ID}?version=2`, { body: { name: 'a' } })

  expect(status).toBe(404)
  expect(body).toEqual({ statusCode: 404, error: 'Not Found', message: 'Thing not found' })
})

test('400 names every problem, and the first in its message', async () => {
  const { status, body } = await user.post('/things', { body: { name: '', count: 'many' } })

  expect(status).toBe(400)
  expect(Object.keys(body)).toEqual(['statusCode', 'error', 'message', 'issues'])
  expect(body).toMatchObject({ statusCode: 400, error: 'Bad Request', message: 'A thing has a name' })
  expect(body.issues).toEqual([
    { path: 'name', message: 'A thing has a name' },
    { path: 'count', message: expect.any(String) },
  ])
})

test.each(['', '{"name":', 'name=x', '\u0000'])('400 for malformed JSON: %.10s', async (body) => {
  const answer = await user.post('/things', { body, headers: { 'content-type': 'application/json' } })

  expect(answer.status).toBe(400)
  expect(answer.body).toEqual({ statusCode: 400, error: 'Bad Request', message: 'Malformed JSON in request body' })
})

test('201: a key named like a member of every object is data', async () => {
  const { status, body } = await user.post('/things', {
    body: '{"name":"a","__proto__":{"isAdmin":true},"constructor":1}',
  })

  expect(status).toBe(201)
  expect(body).toEqual({ name: 'a', count: 1 })
})

test.each(['bad', '%zz', '%00', `${ID}%2F`, `${ID}0`, 'Ｘ', '%E0%A4%A'])(
  '400 for a malformed id in the path: %s',
  async (id) => {
    const { status, body } = await service.guest.get(`/things/${id}`)

    expect(status).toBe(400)
    expect(body).toMatchObject(MALFORMED_ID)
  },
)

test.each(['page=0', 'page=1.5', 'page=1&page=2', 'page=1000001', 'take=51'])(
  '400 for a number in the query that is out of range or malformed: %s',
  async (query) => {
    const { status, body } = await service.guest.get(`/things/${ID}?${query}`)

    expect(status).toBe(400)
    expect(body.message).toMatch(/^(page|take) is a whole number from 1 to /)
  },
)

test('400 for a request whose address cannot be read has the shape of all errors', async () => {
  for (const head of ['GET /a\\b HTTP/1.1\r\nHost: x', 'GET /touch HTTP/1.1\r\nHost: a b']) {
    const answer = await sendRaw(service.port, `${head}\r\nConnection: close\r\n\r\n`)
    expect(answer, head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/)
    expect(answer, head).toMatch(/\r\nx-request-id: \S+\r\n/i)
    expect(answer, head).toContain('{"statusCode":400,"error":"Bad Request","message":"The address cannot be read"}')
  }
})

test.each(['/things/', '//things', '/Things', '/things/fixed/more', '/..%2f'])(
  '404: %s is no address',
  async (path) => {
    const answer = await sendRaw(service.port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)

    expect(answer).toMatch(/^HTTP\/1\.1 404 Not Found\r\n/)
    expect(answer).toContain('{"statusCode":404,"error":"Not Found","message":"There is nothing at this address"}')
  },
)

const send = (method: string, path: string) => fetch(service.baseUrl + path, { method, redirect: 'manual' })

test('HEAD answers like GET without a body', async () => {
  const answer = await send('HEAD', `/things/${ID}`)

  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('application/json')
  expect(await answer.text()).toBe('')
  expect((await send('HEAD', '/things/bad')).status).toBe(400)
})

test('OPTIONS is 204 with Allow, without a session', async () => {
  const answer = await send('OPTIONS', '/things/bad')

  expect(answer.status).toBe(204)
  expect(answer.headers.get('allow')).toBe('GET, HEAD, PUT, OPTIONS')
  expect(await answer.text()).toBe('')
  expect((await send('OPTIONS', '/nothing')).status).toBe(404)
})

test.each(['TRACE', 'PROPFIND', 'QUERY', 'LINK'])('%s is 405 with Allow', async (method) => {
  const answer = await sendRaw(service.port, `${method} /whoami HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)

  expect(answer).toMatch(/^HTTP\/1\.1 405 /)
  expect(answer).toMatch(/\r\nallow: GET, HEAD, OPTIONS\r\n/i)
})

test.each([
  ['/', '/console'],
  ['/console/', '/console'],
  ['/docs/', '/docs'],
])('302 from %s to %s for GET and HEAD, and 405 for POST', async (path, page) => {
  const answer = await send('GET', path)

  expect(answer.status).toBe(302)
  expect(answer.headers.get('location')).toBe(page)
  expect((await send('HEAD', path)).status).toBe(302)
  expect((await send('OPTIONS', path)).headers.get('allow')).toBe('GET, HEAD, OPTIONS')
  expect((await send('POST', path)).status).toBe(405)
})

test('the IndexNow key is served as its own file, exactly; 405 for other methods, 404 for other keys', async () => {
  const { status, headers, body } = await service.guest.get(`/${INDEXNOW_KEY}.txt`)

  expect({ status, body }).toEqual({ status: 200, body: INDEXNOW_KEY })
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect((await service.guest.post(`/${INDEXNOW_KEY}.txt`)).status).toBe(405)
  expect((await service.guest.get('/0f3c9a71b2d84e57.txt')).status).toBe(404)
})
