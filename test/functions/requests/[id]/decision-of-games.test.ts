import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import type { GameDocument } from '../../../../lib/db/collections/games.ts'
import { LANTERN_KEEP } from '../../../lib/sources/igdb/lantern-keep.ts'
import type { Answer } from '../../../support/clients/caller.ts'
import { type Payload, startGamesScene } from '../../../support/scenes/games-scene.ts'

const scene = await startGamesScene()
const author = await scene.service.caller()
const admin = await scene.service.caller({ isAdmin: true })
beforeEach(() => scene.reset())
afterAll(() => scene.close())

const link = (path: string) => scene.images.link(path)
const decide = (id: string, choice: object = {}): Promise<Answer> =>
  admin.post(`/requests/${id}/decision`, { body: { decision: 'approve', ...choice } })

async function submit(payload: Payload): Promise<string> {
  const { status, body } = await author.post('/requests', { body: { kind: 'game', action: 'add', payload } })
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

  test('one game comes of two requests for it, written in other letters, that are approved at once', async () => {
    const cover = link('png/cover')
    const ids = [await submit({ name: 'Harbour Lights', cover }), await submit({ name: 'HARBOUR lights', cover })]
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
})
