import { ObjectId } from 'mongodb'
import { expect, inject, it, vi } from 'vitest'
import { MESSAGES } from '#lib/contract/messages'
import type { ApprovalRunner } from '#lib/domain/requests/approval/approval-runner'
import { claim, rollBack } from '#lib/domain/requests/approval/approve'
import type { NewEntry } from '#lib/domain/requests/assert-no-duplicates'
import { commit } from '#lib/domain/requests/commit/commit'
import { useApprovalsScene } from '../../../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../../../support/scenes/storage-scene.ts'
import { useClient } from '../../../../support/service/use-client.ts'

const ACTOR = { user: { _id: new ObjectId(), userName: 'carol', isAdmin: true } }
const WAIT = { timeout: 20_000, interval: 20 }

const client = await useClient(inject('mongoUri'))
const scene = await useApprovalsScene()

async function begin({ name = `Wick ${new ObjectId()}`, signal = new AbortController().signal } = {}) {
  const { deps } = scene.service
  const { _id: requestId } = await scene.insert({ kind: 'character' })
  const request = await claim(deps, ACTOR, { requestId: requestId.toHexString() })
  const stored = newKey('characters')
  await deps.storage.put(stored, { bytes: pngOf(), type: 'image/png' })
  await deps.db.contentRequests.updateOne({ _id: request._id }, { $set: { pendingUploads: [stored] } })
  const _id = new ObjectId(stored.split('/')[1])
  const newEntry: NewEntry = { kind: 'character', isForced: false, fields: { name } }
  const fields = { name, mugShot: stored }
  const entry = { kind: 'character' as const, _id, newEntry, fields, droppedFields: [], warnings: [] }
  const input = { request, actor: ACTOR, reason: null, payload: { name }, signal, failedLinks: [] }
  return {
    request,
    stored,
    entry,
    commitEntry: (claimed = request) => commit(deps, { ...input, request: claimed, entry }),
    rollBackIt: () => rollBack(deps, { request, uploads: [stored], httpRequestId: 'r1' }, 'It failed'),
  }
}
async function writes(): Promise<number> {
  const ns = scene.service.db.contentRequests.namespace
  const pipeline = [{ $currentOp: {} }, { $match: { ns, op: 'update', active: true } }]
  return (await client.db('admin').aggregate(pipeline).toArray()).length
}

it('a roll-back waits for a commit that is under way, and takes nothing from it', async () => {
  const { request, stored, entry, commitEntry, rollBackIt } = await begin()
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const strike = scene.strikeAt('approval:entry-written', () => gate)
  const committed = commitEntry()
  await vi.waitUntil(() => strike.wasReached(), WAIT)
  const rolledBack = rollBackIt()
  await vi.waitFor(async () => expect(await writes()).toBe(1), WAIT)
  goOn()

  expect(await rolledBack).toMatchObject({ _id: request._id, status: 'approved', resultId: entry._id })
  expect(await committed).toEqual(await rolledBack)
  expect(await scene.objects()).toContain(stored)
  expect(await scene.read(request)).toMatchObject({
    status: 'approved',
    settledClaim: request.claimedAt,
    pendingUploads: [],
  })
})

it('a commit whose claim was taken over is refused as decided, and not by the entry of the other approval', async () => {
  const { request, commitEntry } = await begin()
  const takenOver = { ...request, claimedAt: new Date(request.claimedAt.getTime() + 1) }
  await scene.service.db.contentRequests.updateOne({ _id: request._id }, { $set: { claimedAt: takenOver.claimedAt } })
  const committed = await commitEntry(takenOver)
  const refusal = { code: 'CONFLICT', message: MESSAGES.requestDecided }

  await expect(commitEntry()).rejects.toMatchObject(refusal)
  expect(await scene.read(request)).toMatchObject({ status: 'approved', resultId: committed.resultId })
})

it('a commit is not begun once its signal is aborted', async () => {
  const ending = new AbortController()
  const { request, commitEntry } = await begin({ signal: ending.signal })
  const before = await scene.read(request)
  const reason = new Error('enough')
  ending.abort(reason)
  await expect(commitEntry()).rejects.toBe(reason)
  expect(await scene.read(request)).toEqual(before)
})

it('a claim of somebody else is never released', async () => {
  const request = await scene.insert()
  const retry = vi.fn<ApprovalRunner['retry']>()
  const deps = { ...scene.service.deps, approvalRunner: { ...scene.service.deps.approvalRunner, retry } }
  const strike = scene.strikeAt('approval:claiming', () => {
    throw new Error('never arrived')
  })
  await expect(claim(deps, ACTOR, { requestId: request._id.toHexString() })).rejects.toThrow('never arrived')
  strike.end()
  const claimed = await claim(deps, ACTOR, { requestId: request._id.toHexString() })
  await retry.mock.calls[0]?.[1]()
  expect(await scene.read(request)).toEqual(claimed)
})
