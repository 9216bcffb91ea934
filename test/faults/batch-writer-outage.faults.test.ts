import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { useDatabaseProxy } from '../support/processes/database-proxy.ts'
import { type PrivateMongo, startPrivateMongo } from '../support/processes/private-mongo.ts'
import { startWriterScene, useWriterScene, type WriterScene } from '../support/scenes/writer-scene.ts'
import { timeUnpaused } from '../support/service/watch-pauses.ts'

const WAIT = { timeout: 60_000 }

let lastId = 0

/** Queues skips of novels, and waits until the writer reads their source, which answers after `release`. */
async function queueUntilRead(scene: WriterScene, count: number) {
  const release = scene.vndb.hold()
  const before = scene.vndb.requests.length
  const records = await Promise.all(
    Array.from({ length: count }, async () => {
      const externalId = `v${++lastId}`
      scene.vndb.put({ id: externalId, title: `Novel ${externalId}` })
      return scene.queue({ source: 'vndb', externalId, decision: 'skip' })
    }),
  )
  await vi.waitUntil(() => scene.vndb.requests.length > before, WAIT)
  return { release, records }
}

type Records = Awaited<ReturnType<typeof queueUntilRead>>['records']

async function expectAppliedOnce(scene: WriterScene, records: Records) {
  for (const record of records) {
    const { status, failure } = await scene.settled(record)
    expect([status, failure]).toEqual(['absent', null])
    expect(await scene.service.db.games.countDocuments({ 'vndb.vnId': record.externalId })).toBe(1)
    await scene.announced(record)
    expect(await scene.eventsOf(record)).toEqual(['applied'])
  }
}

const proxy = await useDatabaseProxy()
/** The step after which the database is cut, once. */
let lastStep: string | undefined
async function failpoint(step: string): Promise<void> {
  if (step !== lastStep) return
  lastStep = undefined
  proxy.cut()
  // The ping fails as the command of the step would: the write is done, and the writer does not know.
  await scene.service.db.ping()
}
const scene = await useWriterScene({ mongodbUri: proxy.uri, batchLimits: { leaseMs: 2_000 }, failpoint })

it('no decision is lost when the database is cut while a source is read', async () => {
  const { release, records } = await queueUntilRead(scene, 8)
  proxy.cut()
  release()
  await expect(scene.service.db.ping()).rejects.toThrow()
  proxy.restore()

  await expectAppliedOnce(scene, records)
})

it.each([
  { step: 'writer:committed', what: 'a transaction was committed' },
  { step: 'writer:settled', what: 'the record was written in a transaction' },
  { step: 'writer:created', what: 'the game was made in a transaction' },
])(
  'each entry is announced once when the database is cut after $what and before its answer',
  async ({ step }) => {
    const { release, records } = await queueUntilRead(scene, 6)
    lastStep = step
    release()
    await vi.waitUntil(() => lastStep === undefined, WAIT)
    await expect(scene.service.db.ping()).rejects.toThrow()
    proxy.restore()

    await expectAppliedOnce(scene, records)
  },
  180_000,
)

describe('a database that hangs', () => {
  let mongo: PrivateMongo
  let scene: WriterScene
  beforeAll(async () => {
    mongo = await startPrivateMongo()
    scene = await startWriterScene({ mongodbUri: mongo.uri, batchLimits: { leaseMs: 2_000 } })
  })
  afterAll(async () => {
    await scene.close()
    await mongo.close()
  })

  it('does not hold up the stop of the writer', async () => {
    const { release, records } = await queueUntilRead(scene, 1)
    const [record] = records
    await mongo.freeze()
    release()
    const { tookMs } = await timeUnpaused(() => scene.service.deps.batchWriter.stop())

    expect(tookMs).toBeLessThan(10_000)
    mongo.thaw()
    await vi.waitFor(() => scene.service.db.ping(), WAIT)
    expect(record && (await scene.read(record))).toMatchObject({ status: 'pending', decision: 'skip' })
  })
})
