import { expect, test } from 'vitest'
import { FOREIGN_SITE, HTTP_FIXTURES, SITE, useService } from '../../../support/service/start-service.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const service = await useService({ functionsFolder: HTTP_FIXTURES })

const sendId = async (id: string) =>
  (await service.guest.get('/whoami', { headers: { 'x-request-id': id } })).headers.get('x-request-id')

test('x-request-id is made where there is none, another for each request', async () => {
  const first = (await service.guest.get('/whoami')).headers.get('x-request-id')
  const second = (await service.guest.get('/whoami')).headers.get('x-request-id')

  expect(first).toMatch(UUID)
  expect(second).not.toBe(first)
})

test.each(['proxy-1:2026.11_21', 'x'.repeat(128)])('x-request-id is taken over when sane: %.20s', async (id) => {
  expect(await sendId(id)).toBe(id)
})

test.each(['', 'a b', 'é', 'x'.repeat(129)])('x-request-id is replaced when it is not sane: %.20s', async (id) => {
  expect(await sendId(id)).toMatch(UUID)
})

const USUAL = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
  vary: 'Origin',
}

test.each(['/whoami', '/nothing', '/things/bad', '/touch', '/'])(
  'security headers are on the answer of %s',
  async (path) => {
    const { headers } = await service.guest.get(path)

    expect(Object.fromEntries(headers)).toMatchObject(USUAL)
    expect(headers.get('strict-transport-security')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
    expect(headers.get('server')).toBeNull()
  },
)

test('a page replaces some security headers and keeps the rest', async () => {
  const { status, body, headers } = await service.guest.get('/page')

  expect(status).toBe(200)
  expect(body).toBe('<p>page</p>')
  expect(Object.fromEntries(headers)).toMatchObject({
    ...USUAL,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'self'",
  })
})

test('HSTS is sent only where the public address is https, without its subdomains', async () => {
  const secure = await useService({ functionsFolder: HTTP_FIXTURES, env: { PUBLIC_URL: 'https://api.example.com' } })
  const { headers } = await secure.guest.get('/whoami')

  expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
})

const corsOf = (headers: Headers) => [...headers].filter(([name]) => name.startsWith('access-control-'))

test('an allowed origin reads the answer, refusals included, with credentials', async () => {
  for (const path of ['/whoami', '/things/bad', '/nothing', '/touch']) {
    const { headers } = await service.guest.get(path, { headers: { origin: SITE } })
    expect(corsOf(headers), path).toEqual([
      ['access-control-allow-credentials', 'true'],
      ['access-control-allow-origin', SITE],
      ['access-control-expose-headers', 'x-request-id, Retry-After'],
    ])
  }
})

test.each([FOREIGN_SITE, 'null', `${SITE}0`])('the origin %s gets nothing', async (origin) => {
  const { status, headers } = await service.guest.get('/whoami', { headers: { origin } })

  expect(status).toBe(200)
  expect(corsOf(headers)).toEqual([])
})

test('a preflight of an allowed origin may send x-socket-id, x-user-id and x-viewer-id', async () => {
  const { status, headers } = await fetch(`${service.baseUrl}/things/bad`, {
    method: 'OPTIONS',
    headers: {
      origin: SITE,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type,x-socket-id,x-user-id,x-viewer-id',
    },
  })

  expect(status).toBe(204)
  expect(Object.fromEntries(headers)).toMatchObject({
    allow: 'GET, HEAD, PUT, OPTIONS',
    'access-control-allow-origin': SITE,
    'access-control-allow-credentials': 'true',
    'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
    'access-control-allow-headers': 'Content-Type, x-socket-id, x-request-id, x-user-id, x-viewer-id',
    'access-control-max-age': '600',
    vary: 'Origin',
  })
})

test('a preflight of a foreign origin is 204 and allows nothing', async () => {
  const { status, headers } = await fetch(`${service.baseUrl}/things/bad`, {
    method: 'OPTIONS',
    headers: { origin: FOREIGN_SITE, 'access-control-request-method': 'PUT' },
  })

  expect(status).toBe(204)
  expect(corsOf(headers)).toEqual([])
})
