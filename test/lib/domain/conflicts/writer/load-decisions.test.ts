import { ObjectId } from 'mongodb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { useWriterScene, type WriterScene } from '../../../../support/scenes/writer-scene.ts'

const OPEN_MS = 30_000
const WAIT = 60_000

let scene: WriterScene
const shared = await useWriterScene()
beforeEach(() => {
  scene = shared
})

let lastId = 1_000
const newId = () => ++lastId

const queueNovels = (count: number) => scene.queueSkips('vndb', Array.from({ length: count }, newId))

async function applyOfIgdb(): Promise<void> {
  const id = newId()
  scene.igdb.games.push({ id, name: `Game ${id}` })
  const record = await scene.settled(await scene.queue({ source: 'igdb', externalId: String(id), decision: 'skip' }))
  expect(record.status).toBe('absent')
}

const readAll = (records: readonly ConflictDocument[]) => Promise.all(records.map(scene.read))
const isQueued = ({ status, decision }: ConflictDocument) => status === 'pending' && decision !== null
const isOpen = (source: 'vndb' | 'igdb' | 'hltb' | 'ra') => scene.service.deps.sources[source].openForMs() > 0

/** Waits until the circuit of VNDB is open and the writer is idle. Answers which records came back by then. */
async function outageOf(records: readonly ConflictDocument[]) {
  await vi.waitUntil(() => isOpen('vndb'), WAIT)
  const isIdle = async () => (await scene.service.db.leases.findOne({ _id: 'conflicts/vndb' }))?.holder === undefined
  await vi.waitUntil(isIdle, WAIT)
  const now = await readAll(records)
  return { returned: now.filter((record) => !isQueued(record)), queued: now.filter(isQueued) }
}

afterEach(async () => {
  for (const source of [scene.igdb, scene.vndb, scene.hltb, scene.ra]) source.heal()
  await scene.letPass(OPEN_MS)
})

test('sends back decisions that a source failed for; others stay queued until it works again, and other sources continue', async () => {
  scene.vndb.fail(500)
  const records = await queueNovels(12)
  const { returned, queued } = await outageOf(records)
  await applyOfIgdb()

  // The request for all entries is the first of five failures; the requests for one entry are the others.
  expect(returned.length).toBeGreaterThan(0)
  expect(returned.length).toBeLessThan(5)
  expect(returned.map(({ _id }) => _id)).toEqual(records.slice(0, returned.length).map(({ _id }) => _id))
  for (const { status, decision, externalId, failure } of returned) {
    expect([status, decision]).toEqual(['pending', null])
    expect(failure?.message).toBe(`VNDB ${externalId} could not be read: the source answered with status 500`)
  }
  for (const record of queued) {
    expect(record).toMatchObject({ status: 'pending', decision: 'skip', decidedBy: { userName: 'carol' } })
    expect(record).not.toHaveProperty('failure')
  }

  const requestsBefore = scene.vndb.requests.length
  await applyOfIgdb()
  expect(scene.vndb.requests).toHaveLength(requestsBefore)
  scene.vndb.heal()
  await scene.letPass(OPEN_MS)
  for (const record of queued) expect(await scene.settled(record)).toMatchObject({ status: 'absent' })
  for (const record of await readAll(returned)) expect(record).toMatchObject({ status: 'pending', decision: null })
})

test('the failed trial of an open circuit sends no decision back', async () => {
  scene.vndb.fail(500)
  const records = await queueNovels(6)
  const { queued } = await outageOf(records)
  const requestsBefore = scene.vndb.requests.length
  await scene.letPass(OPEN_MS)
  await vi.waitUntil(() => scene.vndb.requests.length > requestsBefore && isOpen('vndb'), WAIT)

  expect((await outageOf(records)).queued).toEqual(queued)
  scene.vndb.heal()
  await scene.letPass(OPEN_MS)
  for (const record of queued) expect(await scene.settled(record)).toMatchObject({ status: 'absent' })
})

test('a source that sends Retry-After is not requested for that long, and its decisions stay queued', async () => {
  const queueMatch = async () => {
    const externalId = String(newId())
    scene.ra.put({ ID: Number(externalId), Title: 'Lantern' })
    return scene.queue({ source: 'ra', externalId, winner: await scene.insertGame() })
  }
  const restMs = 4 * OPEN_MS
  const requestsBefore = scene.ra.requests.length
  scene.ra.fail({ status: 429, headers: { 'retry-after': String(restMs / 1_000) } })
  const first = await scene.settled(await queueMatch())
  const records = [await queueMatch(), await queueMatch()]
  await applyOfIgdb()

  expect(first.failure?.message).toMatch(/the source is throttling requests$/)
  expect(scene.service.deps.sources.ra.openForMs()).toBeGreaterThan(2 * OPEN_MS)
  expect(scene.ra.requests).toHaveLength(requestsBefore + 1)
  expect(await readAll(records)).toEqual(records)
  scene.ra.heal()
  await scene.letPass(restMs)
  for (const record of records) expect(await scene.settled(record)).toMatchObject({ status: 'resolved', failure: null })
})

test('decisions stay queued without a failure while the source gives no permit', async () => {
  scene = await useWriterScene({ transport: { attemptMs: 120_000, callMs: 120_000, permitMs: 300 } })
  const release = scene.vndb.hold()
  const others = Array.from({ length: 8 }, () => scene.service.deps.sources.vndb.read('v1').catch(() => undefined))
  await vi.waitUntil(() => scene.vndb.open() === others.length, WAIT)
  const records = await queueNovels(3)
  const holders = new Set<string | undefined>()
  const hasTriedTwice = async () =>
    holders.add((await scene.service.db.leases.findOne({ _id: 'conflicts/vndb' }))?.holder).size > 2
  await vi.waitUntil(hasTriedTwice, { timeout: WAIT, interval: 20 })

  expect(scene.vndb.requests).toHaveLength(others.length)
  for (const record of await readAll(records)) {
    expect(isQueued(record)).toBe(true)
    expect(record).not.toHaveProperty('failure')
  }
  release()
  await Promise.all(others)
  for (const record of records) expect(await scene.settled(record)).toMatchObject({ status: 'absent' })
})

test.each(['hltb', 'ra'] as const)('skips of %s go on while its circuit is open, matches wait', async (source) => {
  const standIn = scene[source]
  standIn.fail(500)
  const queueMatch = async () => {
    const gameId = await scene.insertGame()
    const id = String(newId())
    scene.hltb.put({ game_id: Number(id), game_name: 'Lantern' })
    scene.ra.put({ ID: Number(id), Title: 'Lantern' })
    return scene.queue(
      source === 'ra'
        ? { source, externalId: id, winner: gameId }
        : { source, externalId: gameId.toHexString(), winnerEntryId: id },
    )
  }
  for (let failure = 0; failure < 5; failure++) {
    expect((await scene.settled(await queueMatch())).failure?.message).toMatch(/answered with status 500$/)
  }
  expect(isOpen(source)).toBe(true)
  const waiting = await queueMatch()
  const requestsBefore = standIn.requests.length
  const skipped = await scene.queue({ source, externalId: new ObjectId().toHexString(), decision: 'skip' })

  expect(await scene.settled(skipped)).toMatchObject({ status: 'absent', winner: null })
  expect(standIn.requests).toHaveLength(requestsBefore)
  expect(await scene.read(waiting)).toEqual(waiting)
  standIn.heal()
  await scene.letPass(OPEN_MS)
  expect(await scene.settled(waiting)).toMatchObject({ status: 'resolved', failure: null })
})

test.each([
  { source: 'vndb', mode: 500, failure: 'the source answered with status 500' },
  { source: 'igdb', mode: 'garbage', failure: 'the answer has an unexpected form' },
] as const)(
  'where a request of $source for several entries fails, each is requested by itself, and a bad one comes back alone',
  async ({ source, mode, failure }) => {
    const ids = Array.from({ length: 5 }, newId)
    scene.igdb.games.push(...ids.map((id) => ({ id, name: `Game ${id}` })))
    const externalIds = ids.map((id) => (source === 'vndb' ? `v${id}` : String(id)))
    scene.vndb.put(...externalIds.map((id) => ({ id, title: `Novel ${id}` })))
    const [, , bad = ''] = externalIds
    scene[source].fail(
      mode,
      Number.POSITIVE_INFINITY,
      ({ path, body }) => path !== '/v4/characters' && body.includes(source === 'vndb' ? `"${bad}"` : bad),
    )
    const records = await Promise.all(
      externalIds.map((externalId) => scene.queue({ source, externalId, decision: 'skip' })),
    )
    const now = await Promise.all(records.map(scene.settled))

    expect(now.map(({ status }) => status)).toEqual(['absent', 'absent', 'pending', 'absent', 'absent'])
    expect(now[2]?.failure?.message).toMatch(new RegExp(`${bad} could not be read: ${failure}$`))
  },
)

test('a slow source delays only decisions of that source', async () => {
  const release = scene.vndb.hold()
  const requestsBefore = scene.vndb.requests.length
  const [slow] = await queueNovels(1)
  if (slow === undefined) throw new Error('one was queued')
  await vi.waitUntil(() => scene.vndb.requests.length > requestsBefore, WAIT)
  await applyOfIgdb()
  release()

  expect(await scene.settled(slow)).toMatchObject({ status: 'absent' })
})
