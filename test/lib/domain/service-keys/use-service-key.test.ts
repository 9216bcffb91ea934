import { beforeEach, expect, it } from 'vitest'
import { createKey } from '#lib/domain/service-keys/create-key'
import { revokeKey } from '#lib/domain/service-keys/revoke-key'
import type { KeyScope } from '#lib/infrastructure/db/collections/service-keys'
import { captureLog } from '../../../support/service/capture-log.ts'
import { HTTP_FIXTURES, useService } from '../../../support/service/start-service.ts'

let now = new Date('2026-01-01T12:00:00Z')
const log = captureLog()
const service = await useService({ functionsFolder: HTTP_FIXTURES, clock: () => now, log: log.log })
const { db, deps } = service
const user = await service.caller()
const admin = await service.caller({ isAdmin: true })

beforeEach(async () => void (await db.serviceKeys.deleteMany({})))

let made = 0
async function make(scopes: KeyScope[]) {
  const name = `key-${++made}`
  const key = await createKey(deps, { name, scopes })
  return { name, headers: { authorization: `Bearer ${key}` }, key }
}
const post = (headers: Record<string, string>) => service.guest.post('/keyed', { headers, body: { name: 'Mira' } })

it('200 for a key whose scope the endpoint names, without a user', async () => {
  const both = await make(['entries', 'users'])

  expect(await service.guest.get('/keyed', both)).toMatchObject({ status: 200, body: { userName: null } })
  expect(await post(both.headers)).toMatchObject({ status: 200, body: { name: 'Mira' } })
  expect(await post({ authorization: both.headers.authorization.replace('Bearer', 'bearer ') })).toMatchObject({
    status: 200,
  })
})

it('200 for a session of an admin where the endpoint admits it, 403 for a user, 401 where keys alone are admitted', async () => {
  expect(await admin.get('/keyed')).toMatchObject({ status: 200, body: { userName: admin.user?.userName } })
  // The header of a password that guards the whole site.
  expect(await admin.get('/keyed', { headers: { authorization: 'Basic eDp5' } })).toMatchObject({ status: 200 })
  expect((await user.get('/keyed')).status).toBe(403)
  expect((await service.guest.get('/keyed')).status).toBe(401)
  expect((await admin.post('/keyed', { body: { name: 'Mira' } })).status).toBe(401)
})

it('401 for an unknown, malformed or revoked key, 403 without the scope: a session beside it changes nothing', async () => {
  const { name, key, headers } = await make(['users'])

  for (const token of [`ghk_${'x'.repeat(43)}`, 'x', `${key}x`, `${key}`.toUpperCase()]) {
    const refused = await admin.get('/keyed', { headers: { authorization: `Bearer ${token}` } })
    expect(refused).toMatchObject({ status: 401, body: { message: 'Unauthorized' } })
    expect(refused.headers.get('www-authenticate')).toBe('Bearer')
  }
  expect((await admin.get('/keyed', { headers })).status).toBe(403)
  expect((await post(headers)).status).toBe(200)
  expect(await revokeKey(deps, { name })).toBe(true)
  expect((await post(headers)).status).toBe(401)
  expect(await revokeKey(deps, { name })).toBe(false)
})

it('401 and 403 before 415 and 400', async () => {
  const { headers } = await make(['entries'])
  const text = { 'content-type': 'text/plain' }

  expect((await service.guest.post('/keyed', { body: 'x', headers: text })).status).toBe(401)
  expect((await service.guest.post('/keyed', { body: 'x', headers: { ...headers, ...text } })).status).toBe(403)
})

it('401 for a key where a session is required, and a guest where a session is optional', async () => {
  const { headers } = await make(['entries', 'users'])

  expect((await service.guest.post('/things', { headers, body: { name: 'x' } })).status).toBe(401)
  expect((await service.guest.get('/whoami', { headers })).body).toMatchObject({ userName: null })
})

it('429 beyond 600 requests a minute of one key, with the seconds until the next', async () => {
  const [busy, calm] = [await make(['entries']), await make(['entries'])]
  await Promise.all(Array.from({ length: 599 }, () => deps.limits.serviceKeys.consume(busy.name)))

  expect((await service.guest.get('/keyed', busy)).status).toBe(200)
  const refused = await service.guest.get('/keyed', busy)
  expect(refused.status).toBe(429)
  expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect((await service.guest.get('/keyed', calm)).status).toBe(200)
})

it('stores a hash alone, and the last use with its address once a minute', async () => {
  const { name, key, headers } = await make(['entries'])
  const read = () => db.serviceKeys.findOne({ _id: name })
  const use = () => service.guest.get('/keyed', { headers })
  expect(JSON.stringify(await read())).not.toContain(key)
  expect(await read()).toMatchObject({ lastUsedAt: null, lastAddress: null })

  const first = now
  await Promise.all([use(), use(), use()])
  expect(await read()).toMatchObject({ lastUsedAt: first, lastAddress: '127.0.0.1' })
  now = new Date(first.getTime() + 59_000)
  await use()
  expect(await read()).toMatchObject({ lastUsedAt: first })
  now = new Date(first.getTime() + 60_000)
  await use()
  expect(await read()).toMatchObject({ lastUsedAt: now })
})

it('names the key in the log line of its request, never its text', async () => {
  const { name, key, headers } = await make(['entries'])
  await service.guest.get('/keyed', { headers })

  expect(log.lines.find(({ serviceKey }) => serviceKey === name)).toMatchObject({ route: '/keyed', status: 200 })
  expect(JSON.stringify(log.lines)).not.toContain(key)
})

it('a name is taken while its key stands: of several at once one is created, with one staff action', async () => {
  const create = () => createKey(deps, { name: 'parser', scopes: ['entries'] })
  const created = await Promise.all([create(), create(), create()])

  expect(created.filter((key) => key !== null)).toEqual([expect.stringMatching(/^ghk_[\w-]{43}$/)])
  expect(await db.staffActions.find({ 'target.id': 'parser' }).toArray()).toEqual([
    expect.objectContaining({
      admin: null,
      action: 'key-created',
      target: { kind: 'key', id: 'parser' },
      details: { scopes: ['entries'] },
    }),
  ])
  await revokeKey(deps, { name: 'parser' })
  expect(await create()).not.toBeNull()
})
