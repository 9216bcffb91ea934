import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it, vi } from 'vitest'
import { startDatabaseProxy } from '../support/processes/database-proxy.ts'
import { startApprovalsScene } from '../support/scenes/approvals-scene.ts'

const OUTAGE_MS = 2_000
const WAIT = { timeout: 30_000, interval: 50 }

const link = (path: string) => scene.host.link(path)
const payload = (name: string) => ({ name, cover: link('png/a'), screenshots: [link('png/b'), link('png/c')] })

const proxy = await startDatabaseProxy()
const scene = await startApprovalsScene({ mongodbUri: proxy.uri })
afterAll(async () => {
  await scene.close()
  await proxy.close()
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

it.each(['approval:uploaded', 'approval:committing'])(
  'an approval whose database goes at %s is told so, rolled back and repeated',
  async (step) => {
    const before = { entries: await scene.entries(), objects: await scene.objects() }
    const request = await scene.insert({ payload: payload(`Mistral ${step}`) })
    const strike = scene.strikeAt(step, proxy.cut)
    const { status, body } = await scene.decide(request)
    await sleep(OUTAGE_MS)
    proxy.restore()

    expect(strike.wasReached()).toBe(true)
    expect({ status, message: body.message }).toEqual({ status: 503, message: 'Service Unavailable' })
    await scene.untouched(request)
    expect({ entries: await scene.entries(), objects: await scene.objects() }).toEqual(before)
    expect((await scene.decide(request, { force: true })).status).toBe(200)
    expect(await scene.entries()).toEqual({ ...before.entries, games: before.entries.games + 1 })
    expect(await scene.objects()).toHaveLength(before.objects.length + 3)
  },
)
