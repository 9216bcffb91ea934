import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ContentRequestDocument } from '../../../../lib/db/collections/content-requests.ts'
import { deleteOrphanedUploads } from '../../../../lib/requests/approval/delete-orphaned-uploads.ts'
import { recoverAtStart } from '../../../../lib/requests/approval/recover-at-start.ts'
import { readPendingUploads } from '../../../../lib/requests/pending-uploads.ts'
import { StorageError } from '../../../../lib/storage/storage.ts'
import { insertCharacter, insertGame } from '../../../support/rows/rows.ts'
import { type ApprovalsScene, startApprovalsScene } from '../../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'

const WAIT = { timeout: 20_000, interval: 20 }

let scene: ApprovalsScene
beforeAll(async () => {
  scene = await startApprovalsScene()
})
beforeEach(() => scene.service.db.contentRequests.deleteMany({}))
afterAll(() => scene.close())

type Key = ReturnType<typeof newKey>
async function store(key: Key = newKey()): Promise<Key> {
  await scene.service.deps.storage.put(key, { bytes: pngOf(), type: 'image/png' })
  return key
}
const live = () => ({ claimedAt: new Date(), claimedBy: new ObjectId(), claimId: new ObjectId() })
const recorded = async (request: ContentRequestDocument) => readPendingUploads(await scene.read(request))
const start = (isAlone: boolean) => recoverAtStart(scene.service.deps, { isAlone })

describe('a start', () => {
  it('deletes what is recorded without a claim, whatever became of the request', async () => {
    const requests: ContentRequestDocument[] = []
    for (const status of ['pending', 'approved', 'rejected', 'withdrawn'] as const) {
      requests.push(await scene.insert({ status, pendingUploads: [await store(), newKey(), 'covers/../../etc'] }))
    }
    const other = await store()
    await start(false)
    for (const request of requests) await expect.poll(() => recorded(request), WAIT).toEqual([])
    expect(await scene.objects()).toEqual([other])
    await scene.service.deps.storage.delete([other])
  })

  it('leaves what is recorded under a claim to its takeover, while others may be at work', async () => {
    const [lives, past] = [
      await scene.insert({ ...live(), pendingUploads: [await store()] }),
      await scene.insert({ ...live(), claimedAt: new Date(0), pendingUploads: [await store()] }),
    ]
    const unclaimed = await scene.insert({ pendingUploads: [await store()] })
    await start(false)
    await expect.poll(() => recorded(unclaimed), WAIT).toEqual([])
    for (const request of [lives, past]) expect(await scene.read(request)).toEqual(request)
    expect(await scene.objects()).toEqual(
      [lives, past].flatMap(({ pendingUploads }) => pendingUploads ?? []).toSorted(),
    )

    await start(true)
    for (const request of [lives, past]) await scene.untouched(request)
    expect(await scene.objects()).toEqual([])
    for (const request of [lives, past]) expect(await scene.read(request)).not.toHaveProperty('claimId')
  })

  it('is not held up by a storage that fails, and tries again', async () => {
    const request = await scene.insert({ pendingUploads: [await store()] })
    let goOn = () => {}
    const silence = new Promise<void>((resolve) => {
      goOn = resolve
    })
    const remove = vi.spyOn(scene.service.deps.storage, 'delete').mockImplementationOnce(async () => {
      await silence
      throw new StorageError('down')
    })
    await start(true)
    expect(await recorded(request)).toEqual(request.pendingUploads)
    goOn()
    await expect.poll(() => recorded(request), WAIT).toEqual([])
    expect(await scene.objects()).toEqual([])
    remove.mockRestore()
  })

  it('ends the locks of killed approvals: where it is alone at once, else those that nobody has needed for long', async () => {
    const { leases } = scene.service.db
    const held = { _id: 'name/game/held', fencingToken: 1, until: new Date(Date.now() + 60_000) }
    const old = { _id: 'entry/igdb/1', fencingToken: 1, until: new Date(0) }
    const other = { _id: 'conflicts/igdb', fencingToken: 1, until: new Date(0) }
    await leases.insertMany([held, old, other])
    await start(false)
    expect(await leases.find().sort({ _id: 1 }).toArray()).toEqual([other, held])
    await start(true)
    expect(await leases.find().toArray()).toEqual([other])
    await leases.deleteMany({})
  })

  it('finds them by indexes', async () => {
    const plan = await scene.service.db.contentRequests
      .find({ $or: [{ pendingUploads: { $gt: '' } }, { work: { $gt: '' } }], claimedAt: null })
      .explain('queryPlanner')
    const winner = JSON.stringify(plan.queryPlanner.winningPlan)
    expect(winner).toContain('"pendingUploads_1"')
    expect(winner).toContain('"work_1"')
    expect(winner).not.toContain('COLLSCAN')
  })

  it.each(['pending', 'approved'] as const)(
    'deletes what the last release recorded as `work` on a request that is %s',
    async (status) => {
      const [older, newer] = [await store(), await store()]
      const request = await scene.insert({ status, work: [older, newKey()], pendingUploads: [newer] })
      await start(false)
      await expect.poll(() => recorded(request), WAIT).toEqual([])
      expect(await scene.objects()).toEqual([])
    },
  )
})

describe('a clean-up', () => {
  it.each(['cover', 'screenshots', 'artworks', 'mugShot'] as const)(
    'keeps what is the %s of its entry',
    async (field) => {
      const folder = ({ cover: 'covers', mugShot: 'characters' } as const)[field as 'cover'] ?? field
      const [kept, gone] = [await store(newKey(folder)), await store(newKey(folder))]
      const _id = new ObjectId(kept.split('/')[1])
      // As it was written when the storage had another address.
      const url = `https://elsewhere.example/bucket/${kept}`
      const value = field === 'screenshots' || field === 'artworks' ? [url, 'https://example.com/'] : url
      const insert = field === 'mugShot' ? insertCharacter : insertGame
      await insert(scene.service.db, { _id, [field]: value })
      const request = await scene.insert({ pendingUploads: [kept, gone] })
      await deleteOrphanedUploads(scene.service.deps, { requestId: request._id })
      expect(await scene.objects()).toContain(kept)
      expect(await scene.objects()).not.toContain(gone)
      expect(await recorded(request)).toEqual([])
    },
  )

  it('touches neither the records nor the objects of another claim, only what it is told of', async () => {
    const [earlier, own] = [await store(), await store()]
    const request = await scene.insert({ ...live(), pendingUploads: [earlier] })
    await deleteOrphanedUploads(scene.service.deps, { requestId: request._id, stored: [own] })
    await deleteOrphanedUploads(scene.service.deps, { requestId: request._id, claimedAt: new Date(0), stored: [own] })
    expect(await scene.objects()).toContain(earlier)
    expect(await scene.objects()).not.toContain(own)
    expect(await scene.read(request)).toEqual(request)
  })

  it('leaves what was recorded meanwhile', async () => {
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
})
