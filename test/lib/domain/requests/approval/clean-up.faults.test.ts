import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createCleanUpJob, deleteOrphanedUploads } from '#lib/domain/requests/approval/clean-up'
import { releaseClaims } from '#lib/domain/requests/live-claim'
import { CLEAN_UP_WAIT_MS } from '#lib/infrastructure/concurrency/timeouts'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import type { Job } from '#lib/infrastructure/jobs/create-job'
import { StorageError } from '#lib/infrastructure/storage/storage'
import { insertCharacter, insertGame } from '../../../../support/rows/rows.ts'
import { useApprovalsScene } from '../../../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../../../support/scenes/storage-scene.ts'

const WAIT = { timeout: 20_000, interval: 20 }

const scene = await useApprovalsScene()
beforeEach(() => scene.service.db.contentRequests.deleteMany({}))
afterEach(() => job?.stop())

type Key = ReturnType<typeof newKey>
async function store(key: Key = newKey()): Promise<Key> {
  await scene.service.deps.storage.put(key, { bytes: pngOf(), type: 'image/png' })
  return key
}
const live = () => ({ claimedAt: new Date(), claimedBy: new ObjectId(), claimId: new ObjectId() })
const recorded = async (request: ContentRequestDocument) => (await scene.read(request)).pendingUploads ?? []
let job: Job | undefined
async function start() {
  await job?.stop()
  job = createCleanUpJob(scene.service.deps)
  job.start()
}

it('a start deletes uploads recorded without a live claim, whatever the status of the request', async () => {
  const requests: ContentRequestDocument[] = []
  for (const status of ['pending', 'approved', 'rejected', 'withdrawn'] as const) {
    requests.push(await scene.insert({ status, pendingUploads: [await store(), newKey(), 'covers/../../etc'] }))
  }
  const other = await store()
  await start()
  for (const request of requests) await expect.poll(() => recorded(request), WAIT).toEqual([])
  expect(await scene.objects()).toEqual([other])
  await scene.service.deps.storage.delete([other])
})

it('a start leaves uploads under a live claim to its approval, unless no other process can run', async () => {
  const lives = await scene.insert({ ...live(), pendingUploads: [await store()] })
  const past = await scene.insert({ ...live(), claimedAt: new Date(0), pendingUploads: [await store()] })
  const unclaimed = await scene.insert({ pendingUploads: [await store()] })
  await start()
  for (const request of [past, unclaimed]) await expect.poll(() => recorded(request), WAIT).toEqual([])
  expect(await scene.read(lives)).toEqual(lives)
  expect(await scene.objects()).toEqual(lives.pendingUploads)

  await releaseClaims(scene.service.deps)
  await start()
  await expect.poll(() => recorded(lives), WAIT).toEqual([])
  for (const request of [lives, past]) expect(await scene.read(request)).not.toHaveProperty('claimId')
  expect(await scene.objects()).toEqual([])
})

it('a start continues when the storage fails, and the next run deletes the rest', async () => {
  const request = await scene.insert({ pendingUploads: [await store()] })
  let goOn = () => {}
  const silence = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const remove = vi.spyOn(scene.service.deps.storage, 'delete').mockImplementationOnce(async () => {
    await silence
    throw new StorageError('down')
  })
  await start()
  await vi.waitFor(() => expect(remove).toHaveBeenCalled(), WAIT)
  goOn()
  await job?.stop()
  expect(await recorded(request)).toEqual(request.pendingUploads)
  await scene.sweep()
  expect(await recorded(request)).toEqual([])
  expect(await scene.objects()).toEqual([])
  remove.mockRestore()
})

it('a second run deletes an object that was stored after its upload timed out', async () => {
  const { storage } = scene.service.deps
  // A bucket says so.
  storage.mayStoreAfterFailure = true
  const request = await scene.insert({ payload: { name: 'Lantern Keep', cover: scene.host.link('png/late') } })
  const { put } = storage
  let land = async () => {}
  const failing = vi.spyOn(storage, 'put').mockImplementationOnce(async (key, object) => {
    land = () => put(key, object)
    throw new StorageError('no answer')
  })
  expect((await scene.decide(request)).status).toBe(503)
  failing.mockRestore()
  await scene.sweep()
  await land()
  expect(await scene.objects()).toHaveLength(1)
  await scene.sweep()
  storage.mayStoreAfterFailure = false
  expect(await scene.objects()).toEqual([])
  expect(await scene.read(request)).toMatchObject({ status: 'pending', pendingUploads: [] })
})

it('a run deletes old locks of names, and no lease', async () => {
  const { leases } = scene.service.db
  const [other, fresh, old] = ['conflicts/igdb', 'name/game/held', 'name/game/old'] as const
  const until = { [other]: new Date(0), [fresh]: new Date(), [old]: new Date(0) }
  await leases.insertMany([other, fresh, old].map((_id) => ({ _id, until: until[_id] })))
  await scene.sweep()
  expect(await leases.distinct('_id', { _id: { $in: [other, fresh, old] } })).toEqual([other, fresh])
  await leases.deleteMany({})
})

it.each(['cover', 'screenshots', 'artworks', 'mugShot'] as const)(
  'a clean-up keeps an object that is the %s of its entry',
  async (field) => {
    const folder = ({ cover: 'covers', mugShot: 'characters' } as const)[field as 'cover'] ?? field
    const [kept, gone] = [await store(newKey(folder)), await store(newKey(folder))]
    const _id = new ObjectId(kept.split('/')[1])
    const value = field === 'screenshots' || field === 'artworks' ? [kept, 'https://example.com/'] : kept
    const insert = field === 'mugShot' ? insertCharacter : insertGame
    await insert(scene.service.db, { _id, [field]: value })
    const request = await scene.insert({ pendingUploads: [kept, gone] })
    await deleteOrphanedUploads(scene.service.deps, { requestId: request._id })
    expect(await scene.objects()).toContain(kept)
    expect(await scene.objects()).not.toContain(gone)
    expect(await recorded(request)).toEqual([])
  },
)

it('a clean-up deletes only the named uploads, and no records or objects of another claim', async () => {
  const [earlier, current] = [await store(), await store()]
  const request = await scene.insert({ ...live(), pendingUploads: [earlier] })
  await deleteOrphanedUploads(scene.service.deps, { requestId: request._id, stored: [current] })
  await deleteOrphanedUploads(scene.service.deps, { requestId: request._id, claimedAt: new Date(0), stored: [current] })
  expect(await scene.objects()).toContain(earlier)
  expect(await scene.objects()).not.toContain(current)
  expect(await scene.read(request)).toEqual(request)
})

it('a clean-up leaves uploads that were recorded meanwhile', async () => {
  const [first, second] = [await store(), newKey()]
  const request = await scene.insert({ pendingUploads: [first] })
  const { storage } = scene.service.deps
  const { delete: remove } = storage
  const spy = vi.spyOn(storage, 'delete').mockImplementationOnce(async (keys) => {
    await scene.service.db.contentRequests.updateOne({ _id: request._id }, { $push: { pendingUploads: second } })
    await remove(keys)
  })
  await deleteOrphanedUploads(scene.service.deps, { requestId: request._id })
  expect(await recorded(request)).toEqual([second])
  spy.mockRestore()
})

it('an approval that takes over uploads nothing before what an earlier one left is deleted, however slowly', async () => {
  const request = await scene.insert({ payload: { name: 'Slow Harbour' }, pendingUploads: [await store()] })
  await scene.letClaimPass(request)
  const steps: string[] = []
  scene.strikeAt('approval:deleting-orphans', async () => {
    await sleep(CLEAN_UP_WAIT_MS + 500)
    steps.push('deleted')
  })
  scene.strikeAt('approval:planned', () => void steps.push('planned'))

  expect((await scene.decide(request)).status).toBe(200)
  expect(steps).toEqual(['deleted', 'planned'])
})
