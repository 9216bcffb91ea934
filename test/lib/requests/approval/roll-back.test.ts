import { MongoClient, ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { createApprovalContext } from '../../../../lib/requests/approval/approval-context.ts'
import { claim } from '../../../../lib/requests/approval/claim.ts'
import { commit } from '../../../../lib/requests/approval/commit.ts'
import type { EntryWrite } from '../../../../lib/requests/approval/entry-plan.ts'
import { rollBack } from '../../../../lib/requests/approval/roll-back.ts'
import { insertGame } from '../../../support/rows/rows.ts'
import { type ApprovalsScene, startApprovalsScene } from '../../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'

const ADMIN = { _id: new ObjectId(), userName: 'carol', isAdmin: true }
const WAIT = { timeout: 20_000, interval: 20 }

let scene: ApprovalsScene
let client: MongoClient
beforeAll(async () => {
  client = new MongoClient(inject('mongoUri'))
  scene = await startApprovalsScene()
})
afterAll(async () => {
  await Promise.all([scene.close(), client.close()])
})

async function begin({ signal = new AbortController().signal } = {}) {
  const { deps } = scene.service
  const request = await claim(deps, { requestId: (await scene.insert())._id, admin: ADMIN })
  const stored = newKey()
  await deps.storage.put(stored, { bytes: pngOf(), type: 'image/png' })
  const resultId = new ObjectId(stored.split('/')[1])
  const entry = { resultId, images: [deps.storage.urlOf(stored)], replacedImages: [] }
  const choice = { fields: undefined, reason: '$reason', lockSync: false, force: false }
  const approval = createApprovalContext(deps, { request, admin: ADMIN, choice, httpRequestId: 'r1', signal })
  await approval.uploads.record(stored)
  const commitWith = (write: EntryWrite) => commit(deps, approval, { payload: { $name: 'x' }, write })
  return { deps, request, stored, entry, approval, commitWith }
}
/** How many writes to single requests are under way. */
async function writes(): Promise<number> {
  const ns = scene.service.db.contentRequests.namespace
  const pipeline = [{ $currentOp: {} }, { $match: { ns, op: 'update', active: true } }]
  return (await client.db('admin').aggregate(pipeline).toArray()).length
}

describe('a roll-back', () => {
  it('waits for a commit that is under way, and takes nothing from it', async () => {
    const { deps, request, stored, entry, approval, commitWith } = await begin()
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
    const committed = commitWith(write)
    await vi.waitUntil(() => isWritten, WAIT)
    const rolledBack = rollBack(deps, approval, 'It failed')
    await vi.waitFor(async () => expect(await writes()).toBe(1), WAIT)
    goOn()

    expect(await rolledBack).toMatchObject({ _id: request._id, status: 'approved', resultId: entry.resultId })
    expect(await committed).toEqual(await rolledBack)
    expect(await scene.objects()).toContain(stored)
    expect(await scene.read(request)).toMatchObject({
      status: 'approved',
      settledClaim: request.claimedAt,
      pendingUploads: [],
    })
  })

  it('releases the claim, deletes what was stored, and nothing can be committed under it any more', async () => {
    const { deps, request, stored, entry, approval, commitWith } = await begin()
    expect(await rollBack(deps, approval, 'It failed')).toBeNull()
    await scene.untouched(request)
    expect(await scene.objects()).not.toContain(stored)

    const write = vi.fn(async () => entry)
    await expect(commitWith(write)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(write).not.toHaveBeenCalled()
    await scene.untouched(request)
  })

  it('of an approval that lost its claim leaves that of the other as it is', async () => {
    const { deps, request, stored, approval } = await begin()
    await scene.letClaimPass(request)
    const other = await claim(deps, { requestId: request._id, admin: ADMIN })
    expect(await rollBack(deps, approval, 'It failed')).toBeNull()
    expect(await scene.read(request)).toEqual(other)
    expect(await scene.objects()).not.toContain(stored)
  })
})

describe('a commit', () => {
  it('stores its facts as they are, and records what the entry does not refer to with what was recorded before, also by the last release', async () => {
    const { deps, request, entry, approval, commitWith } = await begin()
    const [earlier, older, unused, foreign] = [newKey(), newKey(), newKey(), newKey()]
    const replaced = `covers/${entry.resultId}/${new ObjectId()}` as const
    await scene.service.db.contentRequests.updateOne(
      { _id: request._id },
      { $set: { pendingUploads: [earlier], work: [older] } },
    )
    await approval.uploads.record(unused)
    const replacedImages = [replaced, foreign].map(deps.storage.urlOf)
    const write = async () => ({ ...entry, replacedImages })
    await commitWith(write)
    const committed = await scene.read(request)
    expect(committed).toMatchObject({
      status: 'approved',
      appliedFields: ['$name'],
      reason: '$reason',
      resultId: entry.resultId,
      decidedBy: ADMIN._id,
      decidedAt: expect.any(Date),
      settledClaim: request.claimedAt,
    })
    expect(committed.pendingUploads?.toSorted()).toEqual([earlier, older, unused, replaced].toSorted())
    for (const key of ['claimedAt', 'claimedBy', 'claimId', 'slot', 'work']) expect(committed).not.toHaveProperty(key)
  })

  it('begins again when its game was changed in between', async () => {
    const { deps, request, entry, commitWith } = await begin()
    const _id = await insertGame(scene.service.db)
    let times = 0
    await commitWith(async (session) => {
      times += 1
      await deps.db.games.findOne({ _id }, { session })
      if (times === 1) await deps.db.games.updateOne({ _id }, { $set: { summary: 'Meanwhile' } })
      await deps.db.games.updateOne({ _id }, { $set: { storyline: 'And this' } }, { session })
      return entry
    })
    expect(times).toBeGreaterThan(1)
    expect(await deps.db.games.findOne({ _id })).toMatchObject({ summary: 'Meanwhile', storyline: 'And this' })
    expect(await scene.read(request)).toMatchObject({ status: 'approved' })
  })

  it('503 when a name that it locked was taken by another, and nothing is written', async () => {
    const { deps, request, entry, approval, commitWith } = await begin()
    await approval.locks.lockName('Halcyon')
    await deps.db.leases.updateOne(
      { _id: 'name/game/halcyon' },
      { $set: { holder: 'somebody else' }, $inc: { fencingToken: 1 } },
    )
    const before = await scene.read(request)
    await expect(commitWith(async () => entry)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(await scene.read(request)).toEqual(before)
    await approval.end()
    expect(await deps.db.leases.countDocuments({ holder: 'somebody else' })).toBe(1)
  })

  it('is not begun once its signal is aborted', async () => {
    const ending = new AbortController()
    const { request, entry, commitWith } = await begin({ signal: ending.signal })
    const before = await scene.read(request)
    const reason = new Error('enough')
    ending.abort(reason)
    await expect(commitWith(async () => entry)).rejects.toBe(reason)
    expect(await scene.read(request)).toEqual(before)
  })
})
