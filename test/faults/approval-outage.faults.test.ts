import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { GameDocument } from '../../lib/infrastructure/db/collections/games.ts'
import { createS3Storage } from '../../lib/infrastructure/storage/s3-storage.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/processes/database-proxy.ts'
import { openTestBucket, type TestBucket } from '../support/processes/s3-bucket.ts'
import { insertCharacter, insertGame } from '../support/rows/rows.ts'
import { type ApprovalsScene, startApprovalsScene } from '../support/scenes/approvals-scene.ts'
import { type S3StandIn, startS3StandIn, stayMute } from '../support/stand-ins/s3-stand-in.ts'
import { createGate } from '../support/tools/gate.ts'

const DECIDED = 'This request has already been decided, or another moderator is deciding it'
const UNREACHABLE = 'Service Unavailable'
const UNSTORABLE = 'The images cannot be stored at present, try again later'
const WAIT = { timeout: 30_000, interval: 50 }

let scene: ApprovalsScene
afterEach(() => {
  vi.restoreAllMocks()
})

const link = (path: string) => scene.host.link(path)
const payload = (name: string) => ({ name, cover: link('png/a'), screenshots: [link('png/b'), link('png/c')] })

const listKeys = (game: GameDocument | null) => [game?.cover, ...(game?.screenshots ?? [])]

describe('an approval', () => {
  beforeAll(async () => {
    scene = await startApprovalsScene({ transport: { attemptMs: 600, callMs: 1_200 } })
  })
  afterAll(() => scene.close())

  /** Takes a correction up to a copy or a put. No other request waits for its name. */
  async function taken(where: 'copy' | 'put') {
    const { images, storage } = scene.service.deps
    const before = await scene.objects()
    const targetId = await insertGame(scene.service.db)
    const { name: _, ...proposed } = payload('')
    const request = await scene.insert({ action: 'update', targetId, payload: proposed })
    const { opened, open: goOn } = createGate()
    const [copy, put] = [images.copy, storage.put]
    if (where === 'put') {
      vi.spyOn(storage, 'put').mockImplementationOnce(async (...args) => {
        await opened
        await put(...args)
      })
    } else {
      vi.spyOn(images, 'copy').mockImplementationOnce(async (image) => {
        await opened
        return await copy(image)
      })
    }
    const first = scene.decide(request)
    await vi.waitFor(
      async () => expect((await scene.read(request)).pendingUploads).toHaveLength(where === 'put' ? 3 : 2),
      WAIT,
    )
    await expect.poll(scene.objects, WAIT).toHaveLength(before.length + 2)
    await scene.letClaimPass(request)
    return { request, first, goOn }
  }

  it.each(['put', 'copy'] as const)(
    'whose claim is taken over during a %s writes nothing more and deletes only what it stored itself',
    async (where) => {
      const objects = await scene.objects()
      const { request, first, goOn } = await taken(where)
      const other = await scene.service.caller({ isAdmin: true })
      const second = await scene.decide(request, {}, other)
      expect(second.status).toBe(200)
      // The second one answers while the uploads of the first are still being deleted.
      await expect.poll(scene.objects, WAIT).toHaveLength(objects.length + 3)
      const approved = await scene.read(request)
      const stored = await scene.objects()

      goOn()
      expect(await first).toMatchObject({ status: 409, body: { message: DECIDED } })
      expect(await scene.read(request)).toEqual(approved)
      expect(approved.decidedBy).toEqual(new ObjectId(other.id))
      expect(await scene.objects()).toEqual(stored)
      const game = await scene.service.db.games.findOne({ _id: request.targetId ?? new ObjectId() })
      expect(game?.screenshots).toHaveLength(2)
    },
  )

  it('whose claim is lost to an approval that still runs leaves that its claim and its objects', async () => {
    const { request, first, goOn } = await taken('put')
    const cover = { ...request.payload, cover: link('held/late') }
    await scene.service.db.contentRequests.updateOne({ _id: request._id }, { $set: { payload: cover } })
    const second = scene.decide(request)
    await vi.waitFor(() => expect(scene.host.held.size).toBe(1), WAIT)
    await vi.waitFor(async () => expect((await scene.read(request)).pendingUploads).toHaveLength(2), WAIT)
    const claimed = await scene.read(request)

    goOn()
    expect((await first).status).toBe(409)
    expect(await scene.read(request)).toEqual(claimed)
    scene.host.release()
    expect((await second).body).toMatchObject({ request: { status: 'approved' }, failedImages: [] })
    const game = await scene.service.db.games.findOne({
      _id: new ObjectId(String((await second).body.request.resultId)),
    })
    expect(await scene.objects()).toEqual(expect.arrayContaining(listKeys(game)))
  })

  it.each(['game', 'character'] as const)('404, rolled back, when its %s is deleted in the middle', async (kind) => {
    const { db } = scene.service
    const targetId = kind === 'game' ? await insertGame(db) : await insertCharacter(db)
    const image = kind === 'game' ? { cover: link('held/1') } : { mugShot: link('held/1') }
    const request = await scene.insert({ kind, action: 'update', targetId, payload: { name: 'Gone', ...image } })
    const before = await scene.objects()
    const answer = scene.decide(request)
    await vi.waitFor(() => expect(scene.host.held.size).toBe(1), WAIT)
    if (kind === 'game') await db.games.deleteOne({ _id: targetId })
    else await db.characters.deleteOne({ _id: targetId })
    scene.host.release()

    expect(await answer).toMatchObject({ status: 404, body: { message: `The ${kind} no longer exists` } })
    await scene.untouched(request)
    expect(await scene.objects()).toEqual(before)
    expect((await scene.decide(request)).status).toBe(404)
  })
})

describe('when database or storage fail', () => {
  const OUTAGE_MS = 2_000
  let bucket: TestBucket
  let standIn: S3StandIn
  let proxy: DatabaseProxy
  beforeAll(async () => {
    bucket = await openTestBucket()
    standIn = await startS3StandIn()
    proxy = await startDatabaseProxy()
    const s3 = { ...bucket.s3, endpoint: standIn.endpoint, forcePathStyle: true }
    const timeouts = { silenceMs: 1_500, callMs: 5_000 }
    const storage = createS3Storage({ s3, timeouts })
    scene = await startApprovalsScene({ bucket, storage, mongodbUri: proxy.uri })
  })
  afterAll(async () => {
    await scene.close()
    await Promise.all([standIn.close(), proxy.close()])
    bucket.close()
  })

  /** Begins the outage when the first image is stored. */
  function breakStorage() {
    const { storage } = scene.service.deps
    const { put } = storage
    let first: Promise<void> | undefined
    vi.spyOn(storage, 'put').mockImplementation(async (...args) => {
      if (first !== undefined) return await first.then(() => put(...args))
      first = put(...args).then(() => standIn.behaveAlways(stayMute))
      await first
    })
    return async () => {
      standIn.behaveAlways(undefined)
      vi.restoreAllMocks()
    }
  }
  function cutDatabaseAt(step: string) {
    const strike = scene.strikeAt(step, proxy.cut)
    return async () => {
      await sleep(OUTAGE_MS)
      proxy.restore()
      expect(strike.wasReached()).toBe(true)
    }
  }

  it.each([
    ['the storage never answers', breakStorage, UNSTORABLE],
    ['the database is gone after an upload', () => cutDatabaseAt('approval:uploaded'), UNREACHABLE],
    ['the database is gone at the commit', () => cutDatabaseAt('approval:committing'), UNREACHABLE],
  ])('503 for an approval while %s, which is rolled back and repeated', async (state, begin, message) => {
    const [entries, objects] = [await scene.entries(), await scene.objects()]
    const request = await scene.insert({ payload: payload(`While ${state}`) })
    const end = begin()
    expect(await scene.decide(request)).toMatchObject({ status: 503, body: { message } })
    await end()

    await scene.untouched(request)
    expect({ entries: await scene.entries(), objects: await scene.objects() }).toEqual({ entries, objects })
    const { body } = await scene.decide(request, { force: true })
    expect(body).toMatchObject({ request: { status: 'approved' }, failedImages: [] })
    expect(await scene.entries()).toEqual({ ...entries, games: entries.games + 1 })
    expect(await scene.objects()).toHaveLength(objects.length + 3)
  })

  it('an approval whose commit arrived, but not its answer, stands with all it stored', async () => {
    const [entries, objects] = [await scene.entries(), await scene.objects()]
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
    expect(await scene.entries()).toEqual({ ...entries, games: entries.games + 1 })
    // The second run deletes what a bucket may store late.
    for (let run = 0; run < 2; run++) await scene.sweep()
    await expect.poll(async () => (await scene.read(request)).pendingUploads, WAIT).toEqual([])
    expect(await scene.objects()).toHaveLength(objects.length + 3)
    const game = await scene.service.db.games.findOne({ name: 'Vermilion Tundra' })
    expect(await scene.objects()).toEqual(expect.arrayContaining(listKeys(game)))
  })
})
