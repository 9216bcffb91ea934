import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it, vi } from 'vitest'
import { insertPlatform } from '../../../support/rows/rows.ts'
import { useSyncScene } from '../../../support/scenes/sync-scene.ts'

const PAGE = 100
const HOUR_MS = 60 * 60 * 1_000

it('a source that was never read is due at the start, and what a page says goes the way of handed-over entries', async () => {
  const scene = await useSyncScene({ env: { SYNC_NEW: 'games' } })
  scene.putNovels(PAGE + 10)
  scene.service.deps.sourceSyncs.start()

  expect(await scene.ended()).toMatchObject({ read: PAGE + 10, refused: 0, cursor: null, message: null })
  expect(scene.vndb.requests).toHaveLength(2)
  expect(await scene.service.db.conflicts.countDocuments({ source: 'vndb' })).toBe(PAGE + 10)
})

it('a walk is due again after the hours of SYNC_EVERY_HOURS, and finds nothing new', async () => {
  let now = new Date('2026-11-21T10:00:00.000Z').getTime()
  const scene = await useSyncScene({ env: { SYNC_EVERY_HOURS: '2', SYNC_NEW: 'games' }, clock: () => new Date(now) })
  scene.putNovels(10)
  scene.service.deps.sourceSyncs.start()
  const first = await scene.ended()

  now += 2 * HOUR_MS - 1
  await sleep(200)
  expect(await scene.read()).toEqual(first)
  now += 1
  await vi.waitFor(async () => expect((await scene.read())?.finishedAt).toEqual(new Date(now)), { timeout: 8_000 })
  expect(await scene.read()).toMatchObject({ state: 'idle', read: 10, unchanged: 10, new: 0 })
})

it('only what changed since the last walk of IGDB is read again', async () => {
  const scene = await useSyncScene({ sync: 'igdb' })
  for (let id = 1; id <= 150; id += 1) scene.igdb.games.push({ id, name: `Tall Tower ${id}`, updated_at: 1_000 + id })
  scene.service.deps.sourceSyncs.start()
  await scene.ended('igdb')
  scene.igdb.games.push({ id: 200, name: 'Wide Tower', updated_at: 2_000 })

  expect((await scene.admin.post('/sync/igdb')).status).toBe(200)
  expect(await scene.ended('igdb')).toMatchObject({ read: 2, cursor: '2000' })
})

it('the games of RetroAchievements are those of consoles that a platform of the catalogue has', async () => {
  const scene = await useSyncScene({ sync: 'ra' })
  scene.ra.put({ ID: 1, Title: 'Ours', ConsoleID: 7, NumAchievements: 2 })
  scene.ra.put({ ID: 2, Title: 'Elsewhere', ConsoleID: 8, NumAchievements: 2 })
  await insertPlatform(scene.service.db, { raConsoleId: 7 })
  scene.service.deps.sourceSyncs.start()

  expect(await scene.ended('ra')).toMatchObject({ read: 1 })
})

it('an entry that a page has twice, or in another form, is one record or a refused one, and the others go on', async () => {
  const scene = await useSyncScene({ env: { SYNC_NEW: 'conflicts' } })
  const novel = { id: 'v5', title: 'Twice' }
  scene.vndb.fail({ body: { results: [novel, novel, { id: 'v6' }, { id: 'v7', title: 'Next' }], more: false } }, 1)
  scene.service.deps.sourceSyncs.start()

  expect(await scene.ended()).toMatchObject({ read: 4, refused: 1 })
  expect(await scene.service.db.conflicts.distinct('externalId')).toEqual(['v5', 'v7'])
})

it('a source that fails in the middle, throttles or answers in another form is waited for, and the list says why', async () => {
  const scene = await useSyncScene()
  scene.putNovels(250)
  const isSecond = ({ body }: { body: string }) => body.includes('"v100"')
  scene.vndb.fail(429, 6, isSecond)
  scene.vndb.fail(503, 9, isSecond)
  scene.vndb.fail('garbage', 1_000, isSecond)
  scene.service.deps.sourceSyncs.start()
  const list = async () => (await scene.admin.get('/sync')).body.results[1]
  const paused = { state: 'paused', read: PAGE, message: 'the answer has an unexpected form' }
  await vi.waitFor(async () => expect(await list()).toMatchObject(paused), { timeout: 20_000 })
  const tries = scene.vndb.requests.length
  await vi.waitFor(() => expect(scene.vndb.requests.length).toBeGreaterThan(tries), { timeout: 8_000 })
  expect(await list()).toMatchObject(paused)

  scene.vndb.heal()
  expect(await scene.ended()).toMatchObject({ read: 250, message: null })
}, 60_000)

it('a source that refuses the credentials ends the walk with its words, and the next one goes on there', async () => {
  const scene = await useSyncScene()
  scene.putNovels(150)
  scene.vndb.fail(401, 1, ({ body }) => body.includes('"v100"'))
  scene.service.deps.sourceSyncs.start()

  expect(await scene.ended()).toMatchObject({
    read: PAGE,
    cursor: 'v100',
    message: 'the source refused the credentials',
  })
  await scene.admin.post('/sync/vndb')
  expect(await scene.ended()).toMatchObject({ read: 50, cursor: null, message: null })
})

it('a stop ends with the page in work, and the next start goes on there', async () => {
  const scene = await useSyncScene()
  scene.putNovels(350)
  const { sourceSyncs } = scene.service.deps
  const strike = scene.strikeAt('sync:taken', () => void sourceSyncs.stop(), { after: 1 })
  sourceSyncs.start()
  await expect.poll(strike.wasReached, { timeout: 8_000 }).toBe(true)
  await sourceSyncs.stop()
  expect(await scene.read()).toMatchObject({ state: 'running', read: 2 * PAGE, cursor: 'v200' })

  const other = await scene.startAnother()
  other.deps.sourceSyncs.start()
  expect(await scene.ended()).toMatchObject({ read: 350 })
  await other.close()
  expect(scene.vndb.requests).toHaveLength(4)
})

it('a stop does not wait for a source that is silent', async () => {
  const scene = await useSyncScene()
  const release = scene.vndb.hold()
  scene.service.deps.sourceSyncs.start()
  await expect.poll(() => scene.vndb.open()).toBe(1)

  await scene.service.deps.sourceSyncs.stop()
  expect(await scene.read()).toMatchObject({ state: 'running', read: 0 })
  release()
})

it('one of two instances reads at a time, and each page is read once', async () => {
  const scene = await useSyncScene()
  scene.putNovels(400)
  const other = await scene.startAnother()
  for (const { deps } of [scene.service, other]) deps.sourceSyncs.start()

  expect(await scene.ended()).toMatchObject({ read: 400 })
  await sleep(200)
  await other.close()
  expect(scene.vndb.requests).toHaveLength(4)
  expect(scene.vndb.mostOpen()).toBe(1)
})

it('half of the permits are left to people, whose call is not held up by a walk', async () => {
  const scene = await useSyncScene({ limits: { requests: 4, withinMs: 1_000, open: 1 } })
  scene.putNovels(2_000)
  scene.service.deps.sourceSyncs.start()
  await expect.poll(() => scene.vndb.requests.length, { timeout: 8_000 }).toBeGreaterThan(3)

  const arrivals = () => scene.vndb.requests.map(({ at }) => at)
  await scene.service.deps.sources.vndb.read('v1')
  const walked = arrivals().slice(0, -1)
  expect(walked.filter((at) => at > (walked[0] ?? 0) + 1_000 && at <= (walked[0] ?? 0) + 2_000).length).toBeLessThan(4)
  const reads = [1, 2].map(() => scene.service.deps.sources.vndb.read('v2'))
  await Promise.all(reads)
  const [before = 0, last = 0] = arrivals().slice(-2)
  expect(last - before).toBeLessThan(1_000)
})
