import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { stringsIn } from '#lib/domain/names/normalise-name'
import { approve } from '#lib/domain/requests/approval/approve'
import type { ContentRequestDocument } from '#lib/infrastructure/db/collections/content-requests'
import { isObjectKey, StorageError } from '#lib/infrastructure/storage/storage'
import { insertCharacter, insertGame } from '../../../../support/rows/rows.ts'
import { useApprovalsScene } from '../../../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../../../support/scenes/storage-scene.ts'
import { captureLog } from '../../../../support/service/capture-log.ts'
import { APPROVAL_STEPS } from '../../../../support/tools/approval-steps.ts'

const ALL = { decision: 'approve', fields: undefined, reason: null, lockSync: false, force: false } as const
const ACTOR = { user: { _id: new ObjectId(), userName: 'carol', isAdmin: true } }

type What = 'a new game' | 'a corrected game' | 'a corrected character'
const FAILING = APPROVAL_STEPS.filter(({ failure }) => failure === 'rolled back').map(({ step }) => step)

const scene = await useApprovalsScene()
scene.vndb.put({ id: 'v17', title: 'Lantern Keep' })

beforeEach(async () => {
  const { games, characters } = scene.service.db
  await Promise.all([games.deleteMany({}), characters.deleteMany({})])
  await scene.service.deps.storage.delete((await scene.objects()) as never[])
})

const link = (path: string) => scene.host.link(`png/${path}`)
async function storeObject(folder: 'covers' | 'screenshots' | 'characters', entity: ObjectId): Promise<string> {
  const key = `${folder}/${entity.toHexString()}/${new ObjectId().toHexString()}` as const
  await scene.service.deps.storage.put(key, { bytes: pngOf(), type: 'image/png' })
  return key
}

const requests: Record<What, () => Promise<ContentRequestDocument>> = {
  'a new game': () =>
    scene.insert({
      payload: { name: 'Lantern Keep', vndbId: 'v17', cover: link('a'), screenshots: [link('b'), link('c')] },
    }),
  async 'a corrected game'() {
    const _id = new ObjectId()
    const [cover, screenshot] = [await storeObject('covers', _id), await storeObject('screenshots', _id)]
    await insertGame(scene.service.db, { _id, name: 'Halcyon', cover, screenshots: [screenshot] })
    const payload = { summary: 'Light.', cover: link('a'), screenshots: [link('b'), link('c')] }
    return scene.insert({ action: 'update', targetId: _id, payload })
  },
  async 'a corrected character'() {
    const _id = new ObjectId()
    await insertCharacter(scene.service.db, { _id, mugShot: await storeObject('characters', _id) })
    const payload = { gender: 'unknown', mugShot: link('a') }
    return scene.insert({ kind: 'character', action: 'update', targetId: _id, payload })
  },
}

const approveAs = ({ _id }: ContentRequestDocument) =>
  approve(scene.service.deps, ACTOR, { requestId: _id.toHexString(), choice: ALL, httpRequestId: 'r1' })
const catalogue = async () => ({
  games: await scene.service.db.games.find().toArray(),
  characters: await scene.service.db.characters.find().toArray(),
  objects: await scene.objects(),
})
async function referenced(): Promise<string[]> {
  const { games, characters } = await catalogue()
  const images = [
    ...games.flatMap(({ cover, screenshots, artworks }) => [cover, screenshots, artworks].flat()),
    ...characters.map(({ mugShot }) => mugShot),
  ]
  return stringsIn(images).filter(isObjectKey).sort()
}
const staffActions = ({ _id }: ContentRequestDocument) =>
  scene.service.db.staffActions.find({ 'target.id': _id.toHexString() }).toArray()
async function approvedOnce(request: ContentRequestDocument): Promise<void> {
  const before = await scene.entries()
  expect(await approveAs(request)).toMatchObject({ request: { status: 'approved' }, failedImages: [], warnings: [] })
  const { games, characters } = await scene.entries()
  expect(games + characters).toBe(before.games + before.characters + (request.action === 'add' ? 1 : 0))
  expect(await scene.objects()).toEqual(await referenced())
  await scene.sweep()
  await scene.sweep()
  expect(await scene.read(request)).toMatchObject({ status: 'approved', pendingUploads: [] })
  expect(await staffActions(request)).toMatchObject([
    {
      admin: { userId: ACTOR.user._id, userName: 'carol' },
      action: 'request-approved',
      target: { kind: 'request', id: request._id.toHexString() },
      details: { kind: request.kind, action: request.action, appliedFields: Object.keys(request.payload) },
    },
  ])
}

// A new game and a correction of a character pass every step between them.
const CASES = (['a new game', 'a corrected character'] as const).flatMap((what) =>
  FAILING.map((step) => ({ what, step })),
)
const reached = new Set<string>()
it.each(CASES)(
  'an approval of $what answers the error, is rolled back and can be repeated when $step fails',
  async ({ what, step }) => {
    const request = await requests[what]()
    const before = await catalogue()
    const fault = new Error(`${step} failed`)
    const strike = scene.strikeAt(step, () => {
      throw fault
    })
    const outcome = await approveAs(request).catch((error: unknown) => error)
    strike.end()
    // Not every approval passes every step.
    if (!strike.wasReached()) return expect(outcome).toMatchObject({ request: { status: 'approved' } })

    reached.add(step)
    expect(outcome).toBe(fault)
    await scene.untouched(request)
    expect(await catalogue()).toEqual(before)
    expect(await staffActions(request)).toEqual([])
    await approvedOnce(request)
  },
)

it('an approval fails at each of these steps', () => {
  expect([...reached].sort()).toEqual(FAILING.toSorted())
})

it.each(['a corrected game', 'a corrected character'] as const)(
  'an approval of %s stands when the replaced images cannot be deleted, and the next run deletes them',
  async (what) => {
    const request = await requests[what]()
    const before = await scene.objects()
    const strike = scene.strikeAt('approval:deleting-orphans', () => {
      throw new StorageError('the storage is down')
    })
    expect(await approveAs(request)).toMatchObject({ request: { status: 'approved' } })
    expect(strike.wasReached()).toBe(true)
    strike.end()
    expect(await scene.objects()).toEqual(expect.arrayContaining(before))
    await scene.sweep()
    await scene.sweep()
    expect(await scene.objects()).toEqual(await referenced())
    expect(await scene.read(request)).toMatchObject({ pendingUploads: [] })
  },
)

it('an approval stands when uploads of an earlier approval cannot be deleted before', async () => {
  const left = newKey()
  await scene.service.deps.storage.put(left, { bytes: pngOf(), type: 'image/png' })
  const request = await requests['a new game']()
  await scene.service.db.contentRequests.updateOne({ _id: request._id }, { $set: { pendingUploads: [left] } })
  const strike = scene.strikeAt('approval:deleting-orphans', () => {
    throw new StorageError('the storage is down')
  })
  await approvedOnce(request)
  expect(strike.wasReached()).toBe(true)
  strike.end()
})

it('an approval stands when search engines cannot be notified of its game, and the log has a line', async () => {
  const { log, lines } = captureLog()
  const indexNow = { submit: () => Promise.reject(new Error('odd')) }
  const { _id } = await scene.insert({ payload: { name: 'Halcyon' } })
  const input = { requestId: _id.toHexString(), choice: ALL, httpRequestId: 'r1' }

  expect(await approve({ ...scene.service.deps, log, indexNow }, ACTOR, input)).toMatchObject({
    request: { status: 'approved', resultSlug: 'halcyon' },
  })
  await expect.poll(() => lines.map(({ msg }) => msg)).toContain('search engines could not be notified of a new game')
})
