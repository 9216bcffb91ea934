import { expect, it } from 'vitest'
import { VERSION } from '../../lib/base/version.ts'
import type { Operations } from '../../lib/contract/measurements.ts'
import { createMetrics } from '../../lib/infrastructure/observability/metrics.ts'
import { createOperationsSampler } from '../../lib/infrastructure/observability/sampler.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService({ env: { HLTB_ENABLED: 'true' } })

it('200 with one snapshot: state, sockets, sources and a history that ends with it', async () => {
  const admin = await service.caller({ isAdmin: true })
  const { status, body } = await admin.get('/operations')
  const snapshot: Operations = body

  expect(status).toBe(200)
  expect(snapshot).toMatchObject({
    isReady: true,
    checks: expect.arrayContaining([
      { check: 'settings file', state: 'ok', text: 'none is ignored' },
      { check: 'database indexes', state: 'ok', text: 'all' },
      { check: 'change stream of the service', state: 'ok', text: 'live' },
    ]),
    version: VERSION,
    queuedDecisions: ['vndb', 'igdb', 'hltb', 'ra'].map((source) => ({ source, queued: 0 })),
    sources: [
      { source: 'vndb', state: 'on', until: null },
      { source: 'igdb', state: 'off', until: null },
      { source: 'hltb', state: 'on', until: null },
      { source: 'ra', state: 'off', until: null },
    ],
  })
  expect(snapshot.sockets.map(({ namespace }) => namespace).toSorted()).toEqual([
    '/comments',
    '/conflicts',
    '/notifications',
    '/royal',
  ])
  expect(snapshot.history.at(-1)?.at).toBe(snapshot.at)
  expect(snapshot.memoryBytes).toBeGreaterThan(snapshot.heapUsedBytes)
})

it('200 with isReady false from an instance that is about to stop, as /readyz', async () => {
  const stopping = await useService()
  const admin = await stopping.caller({ isAdmin: true })
  stopping.deps.draining.abort()

  expect((await admin.get('/readyz')).status).toBe(503)
  expect(await admin.get('/operations')).toMatchObject({ status: 200, body: { isReady: false } })
})

it('a sample measures the requests and events since the one before, by route', async () => {
  const metrics = createMetrics()
  let now = 0
  const sampler = createOperationsSampler({ metrics, clock: () => new Date(now) })
  metrics.requests.observe({ method: 'GET', route: '/old', status: 200 }, 4)
  await sampler.sample()

  const answer = (route: string, status: number, seconds: number) =>
    metrics.requests.observe({ method: 'GET', route, status }, seconds)
  for (let index = 0; index < 100; index++) answer('/games/:id', index < 5 ? 404 : 200, index / 1_000)
  answer('/requests', 503, 0.2)
  metrics.eventsSent.inc({ event: 'comment:likes', origin: 'own' }, 15)
  metrics.eventsSent.inc({ event: 'comment:likes', origin: 'other' }, 5)
  now = 10_000
  await sampler.sample()

  expect(sampler.latest()).toMatchObject({
    at: new Date(10_000).toISOString(),
    requestsPerSecond: 10.1,
    refusalsPerSecond: 0.5,
    errorsPerSecond: 0.1,
    p95Ms: expect.closeTo(95, -1),
    eventsPerSecond: 2,
    routes: [
      { method: 'GET', route: '/games/:id', requestsPerSecond: 10, p95Ms: expect.closeTo(95, -1) },
      { method: 'GET', route: '/requests', requestsPerSecond: 0.1, p95Ms: expect.closeTo(200) },
    ],
    events: [{ event: 'comment:likes', perSecond: 2 }],
  })
  expect(sampler.history()).toHaveLength(2)
})

it('the history keeps the samples of ten minutes', async () => {
  const sampler = createOperationsSampler({ metrics: createMetrics(), clock: () => new Date() })
  for (let index = 0; index < 130; index++) await sampler.sample()

  expect(sampler.history()).toHaveLength(120)
})
