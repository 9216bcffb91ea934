import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ContentRequestDocument } from '../../../../lib/db/collections/content-requests.ts'
import type { GameDocument } from '../../../../lib/db/collections/games.ts'
import { approve } from '../../../../lib/requests/approval/approve.ts'
import { StorageError } from '../../../../lib/storage/storage.ts'
import { openTestBucket, type TestBucket } from '../../../support/processes/s3-bucket.ts'
import { insertCharacter, insertGame } from '../../../support/rows/rows.ts'
import { type ApprovalsScene, startApprovalsScene } from '../../../support/scenes/approvals-scene.ts'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'

const ALL = { decision: 'approve', fields: undefined, reason: null, lockSync: false, force: false } as const
const ADMIN = { _id: new ObjectId(), userName: 'carol', isAdmin: true }

/** A named step and how often it is passed before. */
type Step = readonly [step: string, after?: number]

const CLAIM: Step[] = [['approval:claiming'], ['approval:claimed']]
const NEW_NAME: Step[] = [['approval:locking'], ['approval:locked'], ['approval:checking-duplicates']]
const FIRST_IMAGE: Step[] = [
  ['approval:copying-image'],
  ['approval:recording-upload'],
  ['approval:upload-recorded'],
  ['approval:uploaded'],
]
const LAST_IMAGE = FIRST_IMAGE.map(([step]): Step => [step, 2])
const COMMIT: Step[] = [
  ['approval:images-copied'],
  ['approval:committing'],
  ['approval:decided'],
  ['approval:entry-written'],
  ['approval:staff-action-recorded'],
]
const UPLOAD_STEPS = new Set([...FIRST_IMAGE.map(([step]) => step), 'approval:committing'])
const WHATS = ['a new game', 'a corrected game', 'a new character', 'a corrected character'] as const
type What = (typeof WHATS)[number]
const STEPS: Record<What, Step[]> = {
  'a new game': [
    ...CLAIM,
    ...NEW_NAME,
    ['approval:reading-source'],
    ['approval:planned'],
    ...FIRST_IMAGE,
    ...LAST_IMAGE,
    ...COMMIT,
  ],
  'a corrected game': [...CLAIM, ['approval:planned'], ...FIRST_IMAGE, ...LAST_IMAGE, ...COMMIT],
  'a new character': [...CLAIM, ...NEW_NAME, ['approval:planned'], ...FIRST_IMAGE, ...COMMIT],
  'a corrected character': [...CLAIM, ['approval:planned'], ...FIRST_IMAGE, ...COMMIT],
}

describe.each(['local files', 'a bucket'])('an approval that stores in %s', (place) => {
  let bucket: TestBucket | undefined
  let scene: ApprovalsScene
  beforeAll(async () => {
    if (place === 'a bucket') bucket = await openTestBucket()
    scene = await startApprovalsScene({ ...(bucket && { bucket }) })
    scene.vndb.put({ id: 'v17', title: 'Lantern Keep' })
  })
  beforeEach(async () => {
    const { games, characters } = scene.service.db
    await Promise.all([games.deleteMany({}), characters.deleteMany({})])
    await scene.service.deps.storage.delete((await scene.objects()) as never[])
  })
  afterAll(async () => {
    await scene.close()
    bucket?.close()
  })

  const link = (path: string) => scene.host.link(`png/${path}`)
  async function storeObject(folder: 'covers' | 'screenshots' | 'characters', entity: ObjectId): Promise<string> {
    const key = `${folder}/${entity.toHexString()}/${new ObjectId().toHexString()}` as const
    await scene.service.deps.storage.put(key, { bytes: pngOf(), type: 'image/png' })
    return scene.service.deps.storage.urlOf(key)
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
    'a new character': () => scene.insert({ kind: 'character', payload: { name: 'Wick', mugShot: link('a') } }),
    async 'a corrected character'() {
      const _id = new ObjectId()
      await insertCharacter(scene.service.db, { _id, mugShot: await storeObject('characters', _id) })
      const payload = { gender: 'unknown', mugShot: link('a') }
      return scene.insert({ kind: 'character', action: 'update', targetId: _id, payload })
    },
  }

  const approveAs = ({ _id }: ContentRequestDocument) =>
    approve(scene.service.deps, { requestId: _id.toHexString(), admin: ADMIN, choice: ALL, httpRequestId: 'r1' })
  const catalogue = async () => ({
    games: await scene.service.db.games.find().toArray(),
    characters: await scene.service.db.characters.find().toArray(),
    objects: await scene.objects(),
  })
  async function referenced(): Promise<string[]> {
    const { games, characters } = await catalogue()
    const urls = [
      ...games.flatMap(({ cover, screenshots = [], artworks = [] }: GameDocument) => [
        cover,
        ...screenshots,
        ...artworks,
      ]),
      ...characters.map(({ mugShot }) => mugShot),
    ]
    return urls.flatMap((url) => (url === undefined ? [] : (scene.service.deps.storage.keyOf(url) ?? []))).sort()
  }
  const staffActions = ({ _id }: ContentRequestDocument) =>
    scene.service.db.staffActions.find({ 'target.id': _id.toHexString() }).toArray()
  async function approvedOnce(request: ContentRequestDocument): Promise<void> {
    const before = await scene.entries()
    expect(await approveAs(request)).toMatchObject({ request: { status: 'approved' }, failedImages: [], warnings: [] })
    const { games, characters } = await scene.entries()
    expect(games + characters).toBe(before.games + before.characters + (request.action === 'add' ? 1 : 0))
    expect(await scene.objects()).toEqual(await referenced())
    await expect.poll(() => scene.read(request)).toMatchObject({ status: 'approved', pendingUploads: [] })
    expect(await scene.service.db.leases.countDocuments()).toBe(0)
    expect(await staffActions(request)).toMatchObject([
      {
        admin: { userId: ADMIN._id, userName: 'carol' },
        action: 'request-approved',
        target: { kind: 'request', id: request._id.toHexString() },
        details: { kind: request.kind, action: request.action, appliedFields: Object.keys(request.payload) },
      },
    ])
  }

  // The place differs for the steps with objects only.
  const isOfPlace = ([step]: Step) => place !== 'a bucket' || UPLOAD_STEPS.has(step)
  const failing = WHATS.flatMap((what) =>
    STEPS[what].filter(isOfPlace).map(([step, after = 0]) => ({ what, step, after })),
  )
  it.each(failing)(
    'of $what is told, rolled back and can be repeated when $step fails after $after',
    async ({ what, step, after }) => {
      const request = await requests[what]()
      const before = await catalogue()
      const fault = new Error(`${step} failed`)
      const strike = scene.strikeAt(
        step,
        () => {
          throw fault
        },
        { after },
      )

      await expect(approveAs(request)).rejects.toBe(fault)
      expect(strike.wasReached()).toBe(true)
      strike.end()
      await scene.untouched(request)
      expect(await catalogue()).toEqual(before)
      expect(await staffActions(request)).toEqual([])

      await approvedOnce(request)
    },
  )

  it.each(WHATS)('of %s stands when the answer of its commit is lost', async (what) => {
    const request = await requests[what]()
    const strike = scene.strikeAt('approval:committed', () => {
      throw new Error('lost')
    })
    await approvedOnce(request)
    expect(strike.wasReached()).toBe(true)
    strike.end()
  })

  it.each(['a corrected game', 'a corrected character'] as const)(
    'of %s stands when what was replaced cannot be deleted, which is tried again',
    async (what) => {
      const request = await requests[what]()
      const before = await scene.objects()
      let goOn = () => {}
      const hasLooked = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const { storage } = scene.service.deps
      const { delete: remove } = storage
      const again = vi.spyOn(storage, 'delete').mockImplementation(async (...given) => {
        if (strike.wasReached()) await hasLooked
        await remove(...given)
      })
      const strike = scene.strikeAt('approval:deleting-orphans', () => {
        throw new Error('the storage is down')
      })
      expect(await approveAs(request)).toMatchObject({ request: { status: 'approved' } })
      expect(strike.wasReached()).toBe(true)
      strike.end()
      expect(await scene.objects()).toEqual(expect.arrayContaining(before))
      goOn()
      await expect.poll(scene.objects).toEqual(await referenced())
      await expect.poll(async () => (await scene.read(request)).pendingUploads).toEqual([])
      again.mockRestore()
    },
  )

  it.each(['pendingUploads', 'work'])(
    'stands when what an earlier approval left as %s cannot be deleted, which is tried again',
    async (field) => {
      const left = newKey()
      await scene.service.deps.storage.put(left, { bytes: pngOf(), type: 'image/png' })
      const request = await requests['a new game']()
      await scene.service.db.contentRequests.updateOne({ _id: request._id }, { $set: { [field]: [left] } })
      const strike = scene.strikeAt('approval:deleting-orphans', () => {
        throw new StorageError('the storage is down')
      })
      await approvedOnce(request)
      expect(strike.wasReached()).toBe(true)
      strike.end()
    },
  )
})

describe('an object that the storage stores after its put was given up', () => {
  let bucket: TestBucket
  let scene: ApprovalsScene
  beforeAll(async () => {
    bucket = await openTestBucket()
    scene = await startApprovalsScene({ bucket })
  })
  afterAll(async () => {
    await scene.close()
    bucket.close()
  })

  /** Stores it when it has been deleted for the first time. */
  function storeLate(land: () => Promise<void>) {
    const { storage } = scene.service.deps
    const { delete: remove } = storage
    return vi.spyOn(storage, 'delete').mockImplementationOnce(async (...given) => {
      await remove(...given)
      await land()
      expect(await scene.objects()).toHaveLength(1)
    })
  }

  it.each([
    { what: 'an approval that failed', payload: { name: 'Lantern Keep' } },
    { what: 'one that an unfinished approval left', payload: { name: 'Lantern Keep' }, isLeft: true },
  ])('is cleared after $what', async ({ payload, isLeft = false }) => {
    const { deps, db } = scene.service
    const left = newKey()
    const cover = scene.host.link('png/late')
    const request = await scene.insert({
      payload: { ...payload, ...(!isLeft && { cover }) },
      ...(isLeft && { pendingUploads: [left] }),
    })
    let land = () => deps.storage.put(left, { bytes: pngOf(), type: 'image/png' })
    const { put } = deps.storage
    const failing = vi.spyOn(deps.storage, 'put')
    if (!isLeft) {
      failing.mockImplementationOnce(async (...given) => {
        land = () => put(...given)
        throw new StorageError('no answer')
      })
    }
    const late = storeLate(() => land())
    const { status } = await scene.decide(request)

    expect(status).toBe(isLeft ? 200 : 503)
    await expect.poll(scene.objects).toEqual([])
    await expect.poll(async () => (await scene.read(request)).pendingUploads).toEqual([])
    expect(late).toHaveBeenCalled()
    for (const spy of [failing, late]) spy.mockRestore()
    await db.games.deleteMany({})
  })
})
