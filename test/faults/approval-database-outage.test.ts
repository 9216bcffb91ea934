import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { startDatabaseProxy } from '../support/processes/database-proxy.ts'
import { startApprovalsScene } from '../support/scenes/approvals-scene.ts'

const OUTAGE_MS = 5_000
const WAIT = { timeout: 30_000, interval: 50 }

const link = (path: string) => scene.host.link(path)
const payload = (name: string) => ({ name, cover: link('png/a'), screenshots: [link('png/b'), link('png/c')] })

const proxy = await startDatabaseProxy()
const scene = await startApprovalsScene({ mongodbUri: proxy.uri })
afterAll(async () => {
  await scene.close()
  await proxy.close()
})

it('an approval that copies its images is told so, rolled back and repeated', async () => {
  const request = await scene.insert({
    payload: { name: 'Halcyon', cover: link('held/1'), screenshots: [link('png/b')] },
  })
  const answer = scene.decide(request)
  await vi.waitFor(async () => expect((await scene.objects()).length).toBe(1), WAIT)
  await vi.waitFor(() => expect(scene.host.held.size).toBe(1), WAIT)
  proxy.cut()
  scene.host.release()
  expect(await answer).toMatchObject({ status: 503, body: { message: 'Service Unavailable' } })
  proxy.restore()

  await scene.untouched(request)
  expect({ objects: await scene.objects(), entries: await scene.entries() }).toEqual({
    objects: [],
    entries: { games: 0, characters: 0 },
  })
  const repeated = scene.decide(request)
  await vi.waitFor(() => expect(scene.host.held.size).toBe(1), WAIT)
  scene.host.release()
  expect((await repeated).body).toMatchObject({ request: { status: 'approved' } })
  expect(await scene.entries()).toEqual({ games: 1, characters: 0 })
  expect(await scene.objects()).toHaveLength(2)
})

it('an approval whose commit arrived, but not its answer, stands with all it stored', async () => {
  const before = { entries: await scene.entries(), objects: await scene.objects() }
  const request = await scene.insert({ payload: payload('Vermilion Tundra') })
  // The commit itself is the driver's, so its answer is cut off on the wire.
  const strike = scene.strikeAt('approval:staff-action-recorded', () => proxy.cutAfterCommand('commitTransaction'))
  const answer = await scene.decide(request)
  await sleep(OUTAGE_MS)
  proxy.restore()

  expect(strike.wasReached()).toBe(true)
  expect(answer.status).toBe(503)
  await vi.waitFor(async () => expect(await scene.read(request)).toMatchObject({ status: 'approved' }), WAIT)
  await vi.waitFor(async () => expect((await scene.decide(request)).status).toBe(409), WAIT)
  expect(await scene.entries()).toEqual({ ...before.entries, games: before.entries.games + 1 })
  await expect.poll(async () => (await scene.read(request)).pendingUploads, WAIT).toEqual([])
  expect(await scene.objects()).toHaveLength(before.objects.length + 3)
  const game = await scene.service.db.games.findOne({ name: 'Vermilion Tundra' })
  const keys = [game?.cover ?? '', ...(game?.screenshots ?? [])].map((url) => scene.service.deps.storage.keyOf(url))
  expect(await scene.objects()).toEqual(expect.arrayContaining(keys))
})

it('an approval whose decision does not arrive is told so, rolled back and repeated', async () => {
  const before = { entries: await scene.entries(), objects: await scene.objects() }
  const request = await scene.insert({ payload: payload('Obsidian Mistral') })
  const strike = scene.strikeAt('approval:committing', proxy.cut)
  const answer = scene.decide(request)
  const { status } = await answer
  await sleep(OUTAGE_MS)
  proxy.restore()

  expect(strike.wasReached()).toBe(true)
  expect(status).toBe(503)
  await scene.untouched(request)
  expect({ entries: await scene.entries(), objects: await scene.objects() }).toEqual(before)
  expect((await scene.decide(request)).status).toBe(200)
  expect(await scene.entries()).toEqual({ ...before.entries, games: before.entries.games + 1 })
})
