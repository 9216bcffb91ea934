import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ConflictsDeps } from '#lib/domain/conflicts/deps'
import { type BatchLimits, type BatchWriter, createBatchWriter } from '#lib/domain/conflicts/writer/batch-writer'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { insertGame, newConflict } from '../../../../support/rows/rows.ts'
import { useWriterScene } from '../../../../support/scenes/writer-scene.ts'
import { captureLog } from '../../../../support/service/capture-log.ts'

const scene = await useWriterScene({ isWriting: false })

const NEVER_MS = 3_600_000
const WAIT = { timeout: 60_000, interval: 20 }

let writers: { writer: BatchWriter; applied: string[][] }[] = []
beforeEach(() => scene.service.db.conflicts.deleteMany({}))
afterEach(async () => {
  await Promise.all(writers.map(({ writer }) => writer.stop()))
  writers = []
  for (const source of [scene.igdb, scene.vndb, scene.hltb, scene.ra]) source.heal()
})

function startWriter(limits: Partial<BatchLimits> = {}, parts: Partial<ConflictsDeps> = {}) {
  const { deps } = scene.service
  const applied: string[][] = []
  const conflicts: ConflictsDeps['emit']['conflicts'] = {
    ...deps.emit.conflicts,
    applied: (_source, entries) => void applied.push(entries.map(({ externalId }) => externalId)),
  }
  const writer = createBatchWriter(
    { ...deps, emit: { ...deps.emit, conflicts }, ...parts },
    { pollMs: 50, imagesMs: NEVER_MS, ...limits },
  )
  writer.start()
  writers.push({ writer, applied })
  return { writer, applied }
}

let lastId = 0

const queueMany = (source: 'ra' | 'vndb', count: number) =>
  scene.queueSkips(
    source,
    Array.from({ length: count }, () => ++lastId),
  )

const countQueued = () =>
  scene.service.db.conflicts.countDocuments({ status: 'pending', decision: { $in: ['match', 'skip'] } })
const allWritten = () => vi.waitFor(async () => expect(await countQueued()).toBe(0), WAIT)
const sorted = (ids: readonly string[]) => ids.toSorted((a, b) => a.localeCompare(b))
/** Each of these entries is announced once by all writers together. */
const expectOnce = (records: readonly ConflictDocument[]) =>
  vi.waitFor(() => {
    const announced = writers.flatMap(({ applied }) => applied.flat())
    expect(sorted(announced)).toEqual(sorted(records.map(({ externalId }) => externalId)))
  }, WAIT)

test('a writer finds decisions without a wake, at its start and once a period', async () => {
  const first = await queueMany('ra', 3)
  startWriter()
  await expectOnce(first)
  await scene.service.db.conflicts.deleteMany({})
  await queueMany('ra', 1)

  await allWritten()
})

test('a writer looks at once when it is woken, also during its work', async () => {
  const { writer } = startWriter({ pollMs: NEVER_MS })
  const first = await queueMany('vndb', 1)
  writer.wake('vndb')
  await allWritten()

  const release = scene.vndb.hold()
  const requestsBefore = scene.vndb.requests.length
  scene.vndb.put({ id: 'v9001', title: 'While idle' }, { id: 'v9002', title: 'While busy' })
  const idle = await scene.queue({ source: 'vndb', externalId: 'v9001', decision: 'skip' })
  writer.wake('vndb')
  await vi.waitUntil(() => scene.vndb.requests.length > requestsBefore, WAIT)
  const busy = await scene.queue({ source: 'vndb', externalId: 'v9002', decision: 'skip' })
  writer.wake('vndb')
  release()

  await allWritten()
  await expectOnce([...first, idle, busy])
})

test('a writer writes batches of 100 and announces each entry once', async () => {
  const records = await queueMany('ra', 230)
  const { applied } = startWriter({ workMs: NEVER_MS })
  await allWritten()
  await expectOnce(records)

  expect(applied.map((batch) => batch.length)).toEqual([100, 100, 30])
})

test('a writer ends a batch at its time, with some decisions applied', async () => {
  const records = await queueMany('vndb', 12)
  const requestsBefore = scene.vndb.requests.length
  const { applied } = startWriter({ workMs: 0 })
  await allWritten()
  await expectOnce(records)

  expect(applied.length).toBeGreaterThan(1)
  expect(scene.vndb.requests.length - requestsBefore).toBe(applied.length)
})

test('a writer shares each source with the other writers of the database, one writer at a time', async () => {
  const gameIds = await Promise.all(Array.from({ length: 24 }, () => insertGame(scene.service.db)))
  scene.hltb.put(...gameIds.map((_, index) => ({ game_id: index + 1, game_name: `Game ${index}` })))
  const records = gameIds.map((gameId, index) => {
    const winnerEntryId = String(index + 1)
    return newConflict({ source: 'hltb', externalId: gameId.toHexString(), decision: 'match', winnerEntryId })
  })
  await scene.service.db.conflicts.insertMany(records)
  const requestsBefore = scene.hltb.requests.length
  for (let writer = 0; writer < 3; writer++) startWriter({ size: 5 })
  await allWritten()
  await expectOnce(records)

  expect(scene.hltb.mostOpen()).toBe(1)
  expect(scene.hltb.requests.length - requestsBefore).toBe(24)
  for (const [index, gameId] of gameIds.entries()) {
    expect(await scene.game(gameId)).toMatchObject({ hltb: { hltbId: String(index + 1) } })
  }
})

test('a writer sends back only the decision that meets a fault of the service', async () => {
  const { lines, log } = captureLog()
  const records = await queueMany('vndb', 6)
  const bad = records[3]?.externalId ?? ''
  const { vndb } = scene.service.deps.sources
  const broken: typeof vndb = {
    ...vndb,
    async readMany(ids, options) {
      if (ids.includes(bad)) throw new TypeError('a fault')
      return vndb.readMany(ids, options)
    },
  }
  startWriter({}, { log, sources: { ...scene.service.deps.sources, vndb: broken } })
  await allWritten()
  await expectOnce(records)

  const now = await Promise.all(records.map(scene.read))
  expect(now.map(({ status }) => status)).toEqual(['absent', 'absent', 'absent', 'pending', 'absent', 'absent'])
  expect(now[3]?.failure?.message).toBe(`VNDB ${bad} could not be written because of a fault of this service`)
  expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
    { externalId: bad, err: { message: 'a fault' } },
  ])
})

test('an image host that says nothing holds a decision and its batch up no longer than the time of its images, which are left out', async () => {
  scene.igdb.games.push(
    {
      id: 7001,
      name: 'Mute Harbour',
      summary: 'Theirs',
      cover: { id: 1, image_id: 'co7001' },
      screenshots: Array.from({ length: 6 }, (_, index) => ({ id: index, image_id: `sc700${index}` })),
    },
    { id: 7002, name: 'Bare Harbour' },
  )
  scene.igdb.characters.push({ id: 7001, name: 'Ondine', games: [7001], mug_shot: { id: 1, image_id: 'ch7001' } })
  const records = [
    await scene.queue({ source: 'igdb', externalId: '7001', decision: 'skip' }),
    await scene.queue({ source: 'igdb', externalId: '7002', decision: 'skip' }),
  ]
  const { images } = scene.service.deps
  const silent: ConflictsDeps['images'] = {
    ...images,
    copy: (wanted) => images.copy({ ...wanted, link: wanted.link.replace('/png/', '/silent/') }),
  }
  const requestsBefore = scene.imageHost.requests.length
  const { applied } = startWriter({ imagesMs: 300 }, { images: silent })
  await allWritten()
  await expectOnce(records)

  expect(applied).toHaveLength(1)
  const [mute] = await Promise.all(records.map(scene.read))
  expect(mute).toMatchObject({ status: 'absent', failure: null })
  const game = await scene.game(mute?.winner)
  expect(game).toMatchObject({ name: 'Mute Harbour', summary: 'Theirs' })
  for (const field of ['cover', 'screenshots']) expect(game).not.toHaveProperty(field)
  const ondine = await scene.service.db.characters.findOne({ name: 'Ondine' })
  expect(ondine).toMatchObject({ gameIds: [game._id] })
  expect(ondine).not.toHaveProperty('mugShot')
  // The two begun at once; the others would have come after the end.
  expect(scene.imageHost.requests.length - requestsBefore).toBeLessThanOrEqual(2)
})

test('stop finishes the running decisions, leaves the others queued, and releases the lease', async () => {
  const records = await queueMany('vndb', 12)
  for (const { externalId: id } of records) {
    scene.vndb.put({ id, title: `Held ${id}`, image: scene.image(`held/${id}`) })
  }
  const { writer, applied } = startWriter({ leaseMs: 60_000, graceMs: 60_000 })
  await vi.waitUntil(() => scene.imageHost.held.size === 2, WAIT)
  const stopped = writer.stop()
  scene.imageHost.release()
  // One source has two images at a time.
  await vi.waitUntil(() => scene.imageHost.held.size === 2, WAIT)
  scene.imageHost.release()
  await stopped

  expect(applied.map((batch) => batch.length)).toEqual([4])
  expect(await countQueued()).toBe(8)
  startWriter({ leaseMs: 60_000, pollMs: 20 })
  await vi.waitFor(async () => {
    scene.imageHost.release()
    expect(await countQueued()).toBe(0)
  }, WAIT)
  await expectOnce(records)
  expect(await scene.service.db.games.countDocuments({ name: /^Held/ })).toBe(12)
})

test('stop waits for an image that never comes no longer than its grace', async () => {
  const [record] = await queueMany('vndb', 1)
  scene.vndb.put({ id: record?.externalId ?? '', title: 'Silent', image: scene.image('silent/1') })
  const { writer } = startWriter({ graceMs: 200 })
  await vi.waitUntil(() => scene.imageHost.requests.some(({ path }) => path === '/silent/1'), WAIT)
  await writer.stop()

  expect(await countQueued()).toBe(1)
  expect(await scene.service.db.games.countDocuments({ name: 'Silent' })).toBe(0)
})

test('stop ends at once without work, and for good', async () => {
  const { writer } = startWriter({ pollMs: NEVER_MS })
  await Promise.all([writer.stop(), writer.stop()])
  writer.start()
  writer.wake('ra')
  const [record] = await queueMany('ra', 1)
  const unstarted = createBatchWriter(scene.service.deps)
  await unstarted.stop()
  unstarted.start()

  expect(record && (await scene.read(record))).toEqual(record)
})
