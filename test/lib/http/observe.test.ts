import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Caller } from '../../support/clients/caller.ts'
import { captureLog } from '../../support/service/capture-log.ts'
import { startService, type TestService } from '../../support/service/start-service.ts'

const ID = 'abcdefabcdefabcdefabcdef'
const { log, lines, text } = captureLog()
let service: TestService
let user: Caller

beforeAll(async () => {
  service = await startService({
    log,
    functionsFolder: fileURLToPath(new URL('../../fixtures/http/', import.meta.url)),
  })
  user = await service.caller()
})
afterAll(() => service.close())
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

test.each([
  ['GET', `/things/${ID}?page=2`, '/things/:id', 200],
  ['GET', '/things/bad', '/things/:id', 400],
  ['HEAD', `/things/${ID}`, '/things/:id', 200],
  ['DELETE', '/things/bad', '/things/:id', 405],
  ['OPTIONS', '/things/bad', '/things/:id', 204],
  ['POST', '/things', '/things', 401],
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
