import { expect, onTestFinished, test, vi } from 'vitest'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { acquireLease, endLeases, type Lease } from '#lib/infrastructure/db/lease'
import { useDatabaseProxy } from '../../../support/processes/database-proxy.ts'
import { useDatabase } from '../../../support/service/use-database.ts'

const { db } = await useDatabase()

const LONG_MS = 60_000
const WAIT = 30_000

const acquire = (id: string, { lastsMs = LONG_MS, leases = db.leases } = {}) => acquireLease(leases, { id, lastsMs })

async function acquireNow(...args: Parameters<typeof acquire>) {
  const lease = await acquire(...args)
  if (lease === null) throw new Error('another holder has the lease')
  return lease
}

/** Ends a lease, as if its holder had not prolonged it. */
const expire = (id: string) => db.leases.updateOne({ _id: id }, { $set: { until: new Date(0) } })

test('a lease goes to one of 20 that request it at once, also the first time', async () => {
  for (let round = 0; round < 2; round++) {
    const all = await Promise.all(Array.from({ length: 20 }, () => acquire(`contended-${round}`)))
    const [lease, ...others] = all.filter((each) => each !== null)

    expect(others).toEqual([])
    expect(await db.leases.countDocuments({ _id: `contended-${round}` })).toBe(1)
    await lease?.release()
  }
})

test('a lease of a killed process is free at once when all are ended', async () => {
  const killed = await acquireNow('killed')
  await endLeases(db.leases)
  const next = await acquireNow('killed')

  expect(await acquire('killed')).toBeNull()
  await Promise.all([killed.release(), next.release()])
})

test('a lease is taken over when it was not prolonged, and the earlier holder notices', async () => {
  const earlier = await acquireNow('taken', { lastsMs: 600 })
  // The earlier one may prolong it in between.
  const later = await vi.waitFor(async () => {
    await expire('taken')
    return acquireNow('taken')
  }, WAIT)
  await vi.waitUntil(() => earlier.lost.aborted, WAIT)

  expect(earlier.isHeld()).toBe(false)
  expect(earlier.lost.reason).toBeInstanceOf(Error)
  await earlier.release()
  expect(await acquire('taken')).toBeNull()
  expect(later.isHeld()).toBe(true)
  await later.release()
})

test('a lease is prolonged for as long as it is held', async () => {
  const lease = await acquireNow('prolonged', { lastsMs: 4_000 })
  const until = async () => (await db.leases.findOne({ _id: 'prolonged' }))?.until.getTime() ?? 0
  const first = await until()
  await vi.waitUntil(async () => (await until()) > first + 4_000, WAIT)

  expect(lease.isHeld()).toBe(true)
  await lease.release()
})

test('a lease follows the clock of the database, not that of this process', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 })
  try {
    const lease = await acquireNow('ahead')
    vi.setSystemTime(Date.now() + 3_600_000)
    expect(lease.isHeld()).toBe(true)
    expect(await acquire('ahead')).toBeNull()

    vi.setSystemTime(0)
    expect(await acquire('ahead')).toBeNull()
    await lease.release()
  } finally {
    vi.useRealTimers()
  }
})

const write = (lease: Lease, id: string, meanwhile = async () => {}) =>
  db.transaction(async (session) => {
    if (!(await lease.prolong(session))) return false
    await meanwhile()
    await db.seeds.insertOne({ _id: id, startedAt: new Date() }, { session })
    return true
  })
const isWritten = async (id: string) => (await db.seeds.findOne({ _id: id })) !== null

test('a transaction that prolongs a lease is written while the lease is held, and the lease lasts longer', async () => {
  const lease = await acquireNow('fence')
  const soon = new Date(Date.now() + LONG_MS / 2)
  await db.leases.updateOne({ _id: 'fence' }, { $set: { until: soon } })
  expect(await write(lease, 'held')).toBe(true)
  expect((await db.leases.findOne({ _id: 'fence' }))?.until.getTime()).toBeGreaterThan(soon.getTime())
  expect(await isWritten('held')).toBe(true)
  await lease.release()
})

test('a transaction that prolongs a lease writes nothing once another holder has it', async () => {
  const lease = await acquireNow('fenced')
  let rival: Promise<Lease | null> = Promise.resolve(null)
  const meanwhile = async () => {
    rival = expire('fenced').then(() => acquire('fenced'))
  }
  expect(await write(lease, 'before', meanwhile)).toBe(true)
  const next = await rival
  expect(next?.isHeld()).toBe(true)
  expect(await write(lease, 'after')).toBe(false)
  expect(await isWritten('after')).toBe(false)
  expect(lease.lost.aborted).toBe(true)
  await next?.release()
})

test('a lease is held until its time is over while the database cannot be reached, and its release does not wait', async () => {
  const proxy = await useDatabaseProxy()
  const far = openDatabase(proxy.uri)
  onTestFinished(() => far.close())
  const lease = await acquireNow('far', { lastsMs: 5_000, leases: far.leases })
  proxy.cut()
  expect(lease.isHeld()).toBe(true)
  expect(lease.lost.aborted).toBe(false)
  await vi.waitUntil(() => lease.lost.aborted, WAIT)
  expect(lease.isHeld()).toBe(false)
  await lease.release()

  proxy.restore()
  const next = await vi.waitFor(() => acquireNow('far', { leases: far.leases }), WAIT)
  await next.release()
})
