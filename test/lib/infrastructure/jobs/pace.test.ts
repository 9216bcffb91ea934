import { beforeEach, expect, test } from 'vitest'
import { createPace } from '#lib/infrastructure/jobs/pace'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService()
const { leases } = service.db
const MARK = { _id: 'people-served' }
/** Rests that outlast a test. */
const LONG = { factor: 1e9, longestMs: 1e6 }
const NEVER = AbortSignal.any([])

beforeEach(async () => {
  await leases.deleteMany(MARK)
})

test('work rests after a piece while another instance serves people, and a stop ends the rest', async () => {
  const other = createPace({ leases })
  for (let request = 0; request < 3; request++) other.markServed()
  await expect.poll(() => leases.countDocuments(MARK)).toBe(1)
  await leases.updateOne(MARK, { $set: { until: new Date(Date.now() + 3_600_000) } })
  const pace = createPace({ leases }, LONG)
  const stop = new AbortController()
  expect(await pace.run(stop.signal, async () => 'done')).toBe('done')
  let isBegun = false
  const second = pace.run(stop.signal, async () => {
    isBegun = true
  })
  const refused = expect(second).rejects.toThrow('stopped')
  await leases.findOne(MARK)
  stop.abort(new Error('stopped'))
  await refused

  expect(isBegun).toBe(false)
})

test.each([
  ['nobody is served', null],
  ['nobody was served lately', new Date(Date.now() - 1_000)],
])('work goes on at once where %s', async (_, until) => {
  if (until !== null) await leases.insertOne({ ...MARK, until })
  const pace = createPace({ leases }, LONG)
  await pace.run(NEVER, async () => 'first')

  expect(await pace.run(NEVER, async () => 'second')).toBe('second')
})

test('pieces run one after another, also after one that failed', async () => {
  const pace = createPace({ leases })
  const order: string[] = []
  const failed = pace.run(NEVER, async () => {
    await leases.findOne(MARK)
    order.push('first')
    throw new Error('no luck')
  })
  const next = pace.run(NEVER, async () => void order.push('second'))
  await expect(failed).rejects.toThrow('no luck')
  await next

  expect(order).toEqual(['first', 'second'])
})

test('three requests of people within a second set the mark, but neither two nor lists of entries', async () => {
  const admin = await service.caller({ isAdmin: true })
  const body = { source: 'igdb', entries: [{ id: '1', name: 'Harbour' }] }
  for (let list = 0; list < 3; list++) await admin.post('/entries', { body })
  for (let request = 0; request < 2; request++) await admin.get('/sync')
  expect(await leases.findOne(MARK)).toBeNull()

  await expect
    .poll(async () => {
      await Promise.all(Array.from({ length: 3 }, () => admin.get('/sync')))
      return leases.findOne(MARK)
    })
    .not.toBeNull()
})
