import { ObjectId } from 'mongodb'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { MESSAGES, POSSIBLE_DUPLICATES_MESSAGE } from '../../../../lib/contract/messages.ts'
import type { GameDocument } from '../../../../lib/db/collections/games.ts'
import { insertGame } from '../../../../lib/games/insert-game.ts'
import { KEEPERS, LANTERN_KEEP } from '../../../lib/sources/igdb/lantern-keep.ts'
import type { Answer } from '../../../support/clients/caller.ts'
import { type Payload, startGamesScene } from '../../../support/scenes/games-scene.ts'

const scene = await startGamesScene()
const author = await scene.service.caller()
const admin = await scene.service.caller({ isAdmin: true })
beforeEach(() => scene.reset())
afterAll(() => scene.close())

const link = (path: string) => scene.images.link(path)
const insert = async (facts: Partial<GameDocument> = {}): Promise<ObjectId> =>
  (await insertGame(scene.deps, { name: 'Harbour Lights', ...facts }))._id
const decide = (id: ObjectId | string, choice: object = {}): Promise<Answer> =>
  admin.post(`/requests/${id}/decision`, { body: { decision: 'approve', ...choice } })
const stored = (id: ObjectId | string) => scene.service.db.contentRequests.findOne({ _id: new ObjectId(id) })

async function submit(payload: Payload, targetId?: ObjectId): Promise<string> {
  const target = targetId === undefined ? { action: 'add' } : { action: 'update', targetId: targetId.toHexString() }
  const { status, body } = await author.post('/requests', { body: { kind: 'game', ...target, payload } })
  expect(status, JSON.stringify(body)).toBe(201)
  return body._id
}

const listImages = ({ cover, screenshots = [], artworks = [] }: Partial<GameDocument>) =>
  [cover, ...screenshots, ...artworks].filter((url) => url !== undefined)
/** The keys of all images that the catalogue refers to. */
async function referenced(): Promise<string[]> {
  const { games, characters } = scene.service.db
  const urls = [
    ...(await games.find().toArray()).flatMap(listImages),
    ...(await characters.find().toArray()).flatMap(({ mugShot }) => mugShot ?? []),
  ]
  return urls.flatMap((url) => scene.deps.storage.keyOf(url) ?? []).sort()
}
const objects = () => [...scene.objects].sort()

async function expectPending(id: string): Promise<void> {
  const request = await stored(id)
  expect(request).toMatchObject({ status: 'pending' })
  expect(request?.claimedAt ?? null).toBeNull()
  expect(request?.pendingUploads ?? []).toEqual([])
  expect(objects()).toEqual(await referenced())
}

describe('an add', () => {
  test('200 writes the picked fields and the images, and answers what failed', async () => {
    const payload = {
      name: 'Harbour Lights',
      summary: 'Not picked',
      developer: 'North Pier',
      cover: link('png/cover'),
      screenshots: [link('png/1'), link('404/2')],
      hltbId: '404',
    }
    const id = await submit(payload)
    const fields = ['name', 'cover', 'screenshots', 'developer', 'hltbId']
    const { status, body } = await decide(id, { fields, lockSync: true, reason: 'Thanks' })

    expect(status).toBe(200)
    expect(body).toMatchObject({
      failedImages: [link('404/2')],
      warnings: ['HLTB 404 could not be synced: the source has no such entry'],
      request: { status: 'approved', appliedFields: fields, resultSlug: 'harbour-lights', reason: 'Thanks' },
    })
    const { body: game } = await author.get('/games/harbour-lights')
    expect(game).toMatchObject({
      _id: body.request.resultId,
      isCustom: true,
      isStopParsing: true,
      companies: [{ name: 'North Pier', developer: true }],
      hltb: { hltbId: '404' },
    })
    expect(game).not.toHaveProperty('summary')
    expect(game.screenshots).toHaveLength(1)
    expect(objects()).toEqual(await referenced())
    expect((await fetch(game.cover.replace(/^.*(?=\/files\/)/, scene.service.baseUrl))).status).toBe(200)
  })

  test('200 makes a game of an IGDB entry with its characters', async () => {
    scene.igdb.games.push(LANTERN_KEEP)
    scene.igdb.characters.push(...KEEPERS)
    const { status, body } = await decide(await submit({ igdbId: 9001 }))

    expect([status, body.request.resultSlug, body.warnings]).toEqual([200, 'lantern-keep', []])
    expect(await scene.service.db.characters.countDocuments({ gameIds: new ObjectId(body.request.resultId) })).toBe(1)
    expect(objects()).toHaveLength(5)
    expect(objects()).toEqual(await referenced())
  })

  test('409 with the games that it may be; forced, it is made', async () => {
    const twin = await insert()
    const id = await submit({ name: 'Harbour Lights', cover: link('png/cover') })
    const { status, body } = await decide(id)

    expect(status).toBe(409)
    expect(body).toEqual({
      statusCode: 409,
      error: 'Conflict',
      message: POSSIBLE_DUPLICATES_MESSAGE,
      duplicates: [
        { _id: twin.toHexString(), name: 'Harbour Lights', slug: 'harbour-lights', score: expect.any(Number) },
      ],
    })
    await expectPending(id)
    expect((await decide(id, { force: true })).body.request).toMatchObject({
      status: 'approved',
      resultSlug: 'harbour-lights-2',
    })
  })

  test('one game comes of two requests for it that are approved at once', async () => {
    const payload = { name: 'Harbour Lights', cover: link('png/cover') }
    const ids = [await submit(payload), await submit(payload)]
    const answers = await Promise.all(ids.map((id) => decide(id)))

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(answers.find(({ status }) => status === 409)?.body.duplicates).toHaveLength(1)
    expect(await scene.service.db.games.countDocuments()).toBe(1)
    expect(objects()).toEqual(await referenced())
  })

  test('one game comes of two requests for one IGDB id that are approved at once; the other can be approved again', async () => {
    scene.igdb.games.push(LANTERN_KEEP)
    const release = scene.igdb.hold()
    const ids = [await submit({ igdbId: 9001 }), await submit({ igdbId: 9001, summary: 'Picked' })]
    const deciding = Promise.all(ids.map((id) => decide(id)))
    release()
    const answers = await deciding
    const again = await Promise.all(ids.filter((_, at) => answers[at]?.status === 409).map((id) => decide(id)))

    expect([...answers, ...again].filter(({ status }) => status === 200)).toHaveLength(2)
    expect(await scene.service.db.games.find().toArray()).toMatchObject([{ summary: 'Picked', igdb: { gameId: 9001 } }])
    expect(objects()).toEqual(await referenced())
  })

  test('502 when the source that has to name it gives nothing, and nothing is left', async () => {
    const id = await submit({ igdbId: 404, cover: link('png/cover') })
    const { status, body } = await decide(id)

    expect(status).toBe(502)
    expect(body).toMatchObject({ message: 'IGDB 404 could not be parsed: the source has no such entry' })
    await expectPending(id)
  })

  test('503 when the storage fails, and nothing is left', async () => {
    const screenshots = [link('png/1'), link('png/2'), link('png/unstorable')]
    const id = await submit({ name: 'Harbour Lights', screenshots })
    const { status, body } = await decide(id)

    expect([status, body.message]).toEqual([503, MESSAGES.storageUnavailable])
    expect(await scene.service.db.games.countDocuments()).toBe(0)
    await expectPending(id)
  })
})

describe('an update', () => {
  test('200 replaces the cover and deletes the old one, and keeps all other images', async () => {
    const targetId = await insert()
    const first = { cover: link('png/1'), screenshots: [link('png/2')] }
    await decide(await submit(first, targetId))
    const before = await scene.game(targetId)
    const id = await submit({ cover: link('png/3'), screenshots: [link('png/4')] }, targetId)
    const { status } = await decide(id)
    const after = await scene.game(targetId)

    expect(status).toBe(200)
    expect(after.cover).not.toBe(before.cover)
    expect(after.screenshots).toEqual([before.screenshots?.[0], expect.any(String)])
    expect(objects()).toHaveLength(3)
    expect(objects()).toEqual(await referenced())
    expect((await stored(id))?.pendingUploads ?? []).toEqual([])
  })

  test('200 with a warning for an id that another game owns', async () => {
    await insert({ name: 'Chrono Trigger', igdb: { gameId: 1_234 } })
    const id = await submit({ igdbId: 1_234, summary: 'New' }, await insert())
    const { status, body } = await decide(id)

    expect([status, body.warnings]).toEqual([200, ['IGDB 1234 already belongs to "Chrono Trigger"']])
    expect(body.request.appliedFields).toEqual(['summary', 'igdbId'])
  })

  test('404 when the target is deleted in the middle, and nothing is left', async () => {
    const targetId = await insert()
    const id = await submit({ cover: link('held/1'), screenshots: [link('png/2')] }, targetId)
    const deciding = decide(id)
    await expect.poll(() => scene.images.held.size, { timeout: 30_000 }).toBe(1)
    await scene.service.db.games.deleteOne({ _id: targetId })
    scene.images.release()
    const { status, body } = await deciding

    expect([status, body.message]).toEqual([404, MESSAGES.gameGone])
    expect(objects()).toEqual([])
    await expectPending(id)
  })

  test('200 for each of many of one game at once, and all arrive', async () => {
    const targetId = await insert()
    const ids: string[] = []
    for (const number of [1, 2, 3, 4, 5])
      ids.push(await submit({ screenshots: [link(`png/${number}`)], developer: `Pier ${number}` }, targetId))
    const answers = await Promise.all(ids.map((id) => decide(id)))
    const game = await scene.game(targetId)

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(game.screenshots).toHaveLength(5)
    expect(game.companies).toHaveLength(5)
    expect(objects()).toEqual(await referenced())
  })
})
