import { MongoClient, ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { claim } from '../../../../lib/requests/approval/claim.ts'
import { rollBack } from '../../../../lib/requests/approval/roll-back.ts'
import { settle } from '../../../../lib/requests/approval/settle.ts'
import { insertGame } from '../../../support/rows/rows.ts'
import { type ApprovalsScene, startApprovalsScene } from '../../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'

const ADMIN = { _id: new ObjectId(), userName: 'carol', isAdmin: true }
const PATIENCE = { timeout: 20_000, interval: 20 }
vi.setConfig({ testTimeout: 120_000 })

let scene: ApprovalsScene
let client: MongoClient
beforeAll(async () => {
  client = new MongoClient(inject('mongoUri'))
  scene = await startApprovalsScene()
})
afterAll(async () => {
  await Promise.all([scene.close(), client.close()])
})

async function begin() {
  const { deps } = scene.service
  const request = await claim(deps, { requestId: (await scene.insert())._id, admin: ADMIN })
  const stored = newKey()
  await deps.storage.put(stored, { bytes: pngOf(), type: 'image/png' })
  const resultId = new ObjectId(stored.split('/')[1])
  const entry = { resultId, images: [deps.storage.urlOf(stored)], replacedImages: [] }
  const settling = {
    ...{ request, admin: ADMIN, appliedFields: ['$name'], reason: '$reason', stored: [stored], held: [] },
    signal: new AbortController().signal,
  }
  return { deps, request, stored, entry, settling }
}
/** How many writes to single requests are under way. */
async function writes(): Promise<number> {
  const ns = scene.service.db.contentRequests.namespace
  const pipeline = [{ $currentOp: {} }, { $match: { ns, op: 'update', active: true } }]
  return (await client.db('admin').aggregate(pipeline).toArray()).length
}

describe('a roll-back', () => {
  it('waits for a settle that is under way, and takes nothing from it', async () => {
    const { deps, request, stored, entry, settling } = await begin()
    let goOn = () => {}
    const gate = new Promise<void>((resolve) => {
      goOn = resolve
    })
    let isWritten = false
    const write = async () => {
      isWritten = true
      await gate
      return entry
    }
    const settled = settle(deps, { ...settling, plan: { write } })
    await vi.waitUntil(() => isWritten, PATIENCE)
    const rolledBack = rollBack(deps, { request, stored: [stored], uncertainUploads: [] })
    await vi.waitFor(async () => expect(await writes()).toBe(1), PATIENCE)
    goOn()

    expect(await rolledBack).toBe(true)
    expect(await settled).toEqual(entry)
    expect(await scene.objects()).toContain(stored)
    expect(await scene.read(request)).toMatchObject({ status: 'approved', settledClaim: request.claimedAt, work: [] })
  })

  it('gives the claim back, deletes what was stored, and nothing can be settled under it any more', async () => {
    const { deps, request, stored, entry, settling } = await begin()
    expect(await rollBack(deps, { request, stored: [stored], uncertainUploads: [] })).toBe(false)
    await scene.untouched(request)
    expect(await scene.objects()).not.toContain(stored)

    const write = vi.fn(async () => entry)
    await expect(settle(deps, { ...settling, plan: { write } })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(write).not.toHaveBeenCalled()
    await scene.untouched(request)
  })

  it('of an approval that lost its claim leaves that of the other as it is', async () => {
    const { deps, request, stored } = await begin()
    await scene.letClaimPass(request)
    const other = await claim(deps, { requestId: request._id, admin: ADMIN })
    expect(await rollBack(deps, { request, stored: [stored], uncertainUploads: [] })).toBe(false)
    expect(await scene.read(request)).toEqual(other)
    expect(await scene.objects()).not.toContain(stored)
  })
})

describe('a settle', () => {
  it('stores its facts as they are, and notes what the entry does not refer to with what was noted before', async () => {
    const { deps, request, entry, settling } = await begin()
    const [earlier, unused, foreign] = [newKey(), newKey(), newKey()]
    const replaced = `covers/${entry.resultId}/${new ObjectId()}` as const
    await scene.service.db.contentRequests.updateOne({ _id: request._id }, { $set: { work: [earlier] } })
    const replacedImages = [replaced, foreign].map(deps.storage.urlOf)
    const write = async () => ({ ...entry, replacedImages })
    await settle(deps, { ...settling, stored: [...settling.stored, unused], plan: { write } })
    const settled = await scene.read(request)
    expect(settled).toMatchObject({
      ...{ status: 'approved', appliedFields: ['$name'], reason: '$reason', resultId: entry.resultId },
      ...{ decidedBy: ADMIN._id, decidedAt: expect.any(Date), settledClaim: request.claimedAt },
    })
    expect(settled.work?.toSorted()).toEqual([earlier, unused, replaced].toSorted())
    for (const key of ['claimedAt', 'claimedBy', 'claimId', 'slot']) expect(settled).not.toHaveProperty(key)
  })

  it('begins again when its game was changed in between', async () => {
    const { deps, request, entry, settling } = await begin()
    const _id = await insertGame(scene.service.db)
    let times = 0
    await settle(deps, {
      ...settling,
      plan: {
        async write(session) {
          times += 1
          await deps.db.games.findOne({ _id }, { session })
          if (times === 1) await deps.db.games.updateOne({ _id }, { $set: { summary: 'Meanwhile' } })
          await deps.db.games.updateOne({ _id }, { $set: { storyline: 'And this' } }, { session })
          return entry
        },
      },
    })
    expect(times).toBeGreaterThan(1)
    expect(await deps.db.games.findOne({ _id })).toMatchObject({ summary: 'Meanwhile', storyline: 'And this' })
    expect(await scene.read(request)).toMatchObject({ status: 'approved' })
  })

  it('409 when a name that it holds was taken by another, and nothing is written', async () => {
    const { deps, request, entry, settling } = await begin()
    await deps.db.leases.insertOne({ _id: 'name/game/x', holder: 'somebody else', fencingToken: 8, until: new Date() })
    const held = [{ _id: 'name/game/x', holder: 'mine', fencingToken: 7 }]
    const plan = { write: async () => entry }
    await expect(settle(deps, { ...settling, held, plan })).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await scene.read(request)).toEqual(request)
  })

  it('is not begun once its signal is aborted', async () => {
    const { deps, request, entry, settling } = await begin()
    const reason = new Error('enough')
    const plan = { write: async () => entry }
    const signal = AbortSignal.abort(reason)
    await expect(settle(deps, { ...settling, plan, signal })).rejects.toBe(reason)
    expect(await scene.read(request)).toEqual(request)
  })
})
