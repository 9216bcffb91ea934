import { expect, test, vi } from 'vitest'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { insertConflict } from '../support/rows/rows.ts'
import { useShakyService } from '../support/service/shaky-service.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()
const guarded = await useService({ env: { METRICS_TOKEN: 'scrape me' } })

test('200 in the text format of Prometheus: requests by route pattern, sockets, events', async () => {
  await service.guest.get('/comments/abcdefabcdefabcdefabcdef/replies')
  const { status, headers, body } = await service.guest.get('/metrics')

  expect(status).toBe(200)
  expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  expect(body).toContain(
    'gamehall_http_request_duration_seconds_count{method="GET",route="/comments/:id/replies",status="404"} 1',
  )
  expect(body).toMatch(/^gamehall_ready 1$/m)
  expect(body).toMatch(/^gamehall_database_pool\{state="open"\} [1-9]/m)
  for (const name of ['gamehall_sockets', 'gamehall_events_sent_total', 'nodejs_eventloop_lag_seconds']) {
    expect(body).toContain(`# TYPE ${name} `)
  }
})

test('200 with the queued decisions of each source, through the index', async () => {
  const { db } = service
  const decided = { source: 'vndb', decision: 'match' } as const
  await Promise.all([
    insertConflict(db, decided),
    insertConflict(db, { ...decided, decision: 'skip' }),
    insertConflict(db, { ...decided, decision: null }),
    insertConflict(db, { ...decided, status: 'resolved' }),
    insertConflict(db, { source: 'ra', decision: 'skip' }),
  ])
  const queued = async () => (await service.guest.get('/metrics')).body.match(/^gamehall_conflicts_queued.*$/gm).sort()
  const commands = await profile(db, 'conflicts', queued)

  expect(await queued()).toEqual([
    'gamehall_conflicts_queued{source="hltb"} 0',
    'gamehall_conflicts_queued{source="igdb"} 0',
    'gamehall_conflicts_queued{source="ra"} 1',
    'gamehall_conflicts_queued{source="vndb"} 2',
  ])
  expect(commands).toHaveLength(4)
  expectIndexed(commands, { docs: 0 })
  await db.conflicts.deleteMany({})
  expect(await queued()).toContain('gamehall_conflicts_queued{source="vndb"} 0')
})

test('200 without the metrics of the database while it cannot be reached', async () => {
  const { database, guest } = await useShakyService()
  expect((await guest.get('/metrics')).body).toContain('gamehall_conflicts_queued{')
  database.cut()
  const { status, body } = await guest.get('/metrics')

  expect(status).toBe(200)
  expect(body).toContain('gamehall_sockets')
  expect(body).not.toContain('gamehall_conflicts_queued{')
  database.restore()
  await vi.waitFor(async () => expect((await guest.get('/metrics')).body).toContain('gamehall_conflicts_queued{'), {
    timeout: 30_000,
  })
})

test('200 on this machine, 401 through a proxy, in production without METRICS_TOKEN', async () => {
  const service = await useService({ config: { isProduction: true } })
  expect((await service.guest.get('/metrics')).status).toBe(200)
  for (const from of ['127.0.0.1', '203.0.113.7']) {
    expect((await service.guest.get('/metrics', { headers: { 'x-forwarded-for': from } })).status).toBe(401)
  }
})

const ask = (authorization?: string) =>
  guarded.guest.get('/metrics', { headers: authorization === undefined ? {} : { authorization } })

test.each([undefined, 'Bearer ', 'Bearer scrape', 'Basic c2NyYXBlIG1l'])('401 with %s', async (authorization) => {
  const { status, headers, body } = await ask(authorization)

  expect(status).toBe(401)
  expect(headers.get('www-authenticate')).toBe('Bearer')
  expect(body).toEqual({ statusCode: 401, error: 'Unauthorized', message: 'Unauthorized' })
})

test('200 with METRICS_TOKEN, 401 for an admin without it', async () => {
  const admin = await guarded.caller({ isAdmin: true })

  expect(await ask('Bearer scrape me')).toMatchObject({
    status: 200,
    body: expect.stringContaining('# TYPE gamehall_'),
  })
  expect((await admin.get('/metrics')).status).toBe(401)
})
