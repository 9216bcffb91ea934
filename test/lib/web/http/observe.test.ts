import { beforeEach, expect, test } from 'vitest'
import { keyedHash } from '#lib/base/system/keyed-hash'
import { sendRaw } from '../../../support/clients/send-raw.ts'
import { captureLog } from '../../../support/service/capture-log.ts'
import { HTTP_FIXTURES, startService, useService } from '../../../support/service/start-service.ts'

const ID = 'abcdefabcdefabcdefabcdef'
const { log, lines, text } = captureLog()

const service = await useService({ log, functionsFolder: HTTP_FIXTURES })
const user = await service.caller()
beforeEach(() => {
  lines.length = 0
})

test('each request leaves one line: id, method, route pattern, status, duration, user', async () => {
  await user.post('/things', { body: { name: 'a' }, headers: { 'x-request-id': 'mine' } })

  expect(lines).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      requestId: 'mine',
      method: 'POST',
      route: '/things',
      status: 201,
      durationMs: expect.any(Number),
      userId: user.id,
    },
  ])
})

test('the line of a refusal names the signed-in user, also where the role is too low', async () => {
  await user.put(`/things/${ID}?version=1`, { body: { name: 'a' } })

  expect(lines).toEqual([expect.objectContaining({ status: 403, userId: user.id, address: '127.0.0.1' })])
})

test.each([
  ['GET', `/things/${ID}?page=2`, '/things/:id', 200],
  ['GET', '/things/bad', '/things/:id', 400],
  ['DELETE', '/things/bad', '/things/:id', 405],
  ['GET', '/nothing/secret', 'unmatched', 404],
  ['GET', '/', '/', 302],
])('%s %s is measured as %s', async (method, path, route, status) => {
  await fetch(service.baseUrl + path, { method, redirect: 'manual' })

  expect(lines).toEqual([expect.objectContaining({ method, route, status })])
  expect(lines[0]).not.toHaveProperty('userId')
  const { values } = await service.deps.metrics.httpDuration.get()
  expect(values).toContainEqual(
    expect.objectContaining({
      metricName: 'gamehall_http_request_duration_seconds_count',
      labels: { method, route, status },
    }),
  )
})

test('odd methods share one series of the metrics', async () => {
  for (const method of ['PROPFIND', 'LINK', 'QUERY']) await sendRaw(service.port, `${method} /things HTTP/1.0\r\n\r\n`)

  const { values } = await service.deps.metrics.httpDuration.get()
  const methods = new Set(values.map(({ labels }) => labels.method))
  expect([...methods].filter((method) => /^(PROPFIND|LINK|QUERY|other)$/.test(String(method)))).toEqual(['other'])
  expect(lines.map(({ method }) => method)).toEqual(['PROPFIND', 'LINK', 'QUERY'])
})

test('secrets, cookies, queries and bodies are never logged', async () => {
  const secret = 'open-sesame'
  await user.post(`/things?token=${secret}`, {
    body: { name: secret, password: secret },
    headers: { authorization: `Bearer ${secret}`, 'x-socket-id': secret, referer: `http://${secret}.example` },
  })
  await user.post('/things', { body: `{"name": "${secret}`, headers: { 'content-type': 'application/json' } })
  await service.guest.get(`/${secret}`)

  expect(lines).toHaveLength(3)
  expect(text()).not.toContain(secret)
  expect(text()).not.toContain(user.cookie.split('=')[1])
  expect(text()).not.toContain('accessSessionToken')
})

test('secrets are taken out of an object that is logged whole', () => {
  const captured = captureLog()
  captured.log.info({ user: { userName: 'alice', password: 'p4ss', passwordHash: 'h4sh', cookie: 'c00kie' } }, 'whole')
  captured.log.info({ request: { authorization: 'b34rer' }, headers: { cookie: 'c00kie' } }, 'whole')

  expect(captured.lines).toHaveLength(2)
  expect(captured.text()).toContain('alice')
  expect(captured.text()).not.toMatch(/p4ss|h4sh|c00kie|b34rer/)
})

test('lines of /auth name the address, and the e-mail by a hash that only this installation can make', async () => {
  const captured = captureLog()
  const whole = await startService({ log: captured.log, env: { TRUST_PROXY: '1' } })
  const logIn = (email: string) =>
    whole.guest.post('/auth/login', {
      body: { email, password: 'wrong' },
      headers: { 'x-forwarded-for': '203.0.113.7' },
    })
  await logIn('somebody@example.org')
  await logIn(' Somebody@Example.org')
  await logIn('another@example.org')
  await whole.guest.post('/auth/logout')
  await whole.guest.get('/healthz')
  await whole.close()

  const [first, second, third, logout, health] = captured.lines.filter(({ route }) => route !== undefined)
  expect(first).toMatchObject({ status: 401, address: '203.0.113.7', emailHash: expect.stringMatching(/^[\w-]{43}$/) })
  expect(first?.emailHash).toBe(keyedHash(whole.deps.jwtSecret, 'logged e-mail', 'somebody@example.org'))
  expect(second?.emailHash).toBe(first?.emailHash)
  expect(third?.emailHash).not.toBe(first?.emailHash)
  expect(logout).toMatchObject({ address: '127.0.0.1' })
  expect(logout).not.toHaveProperty('emailHash')
  expect(health).not.toHaveProperty('address')
  expect(captured.text()).not.toContain('example.org')
})
