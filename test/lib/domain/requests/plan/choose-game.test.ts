import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { DomainError } from '#lib/base/errors'
import { MESSAGES } from '#lib/contract/messages'
import { insertKeyedGame } from '../../../../support/rows/rows.ts'
import { useGamesScene } from '../../../../support/scenes/games-scene.ts'
import { KEEPERS, LANTERN_KEEP } from '../../../infrastructure/sources/igdb/lantern-keep.ts'

const NO_ENTRY = 'the source has no such entry'
const TELLING =
  'Seventeen lanterns burn along the harbour wall, and every night their keeper rows out to count the drowned ships.'
const PLATFORM = new ObjectId()
const RELEASED = LANTERN_KEEP.first_release_date

const scene = await useGamesScene()
const admin = await scene.service.caller({ isAdmin: true })
beforeEach(() => scene.reset())

const countGames = () => scene.service.db.games.countDocuments()

async function refusal(work: Promise<unknown>): Promise<Pick<DomainError, 'code' | 'message' | 'details'>> {
  const { code, message, details } = await work.then(
    () => expect.fail('it was not refused'),
    (error: DomainError) => error,
  )
  return { code, message, details }
}

it('an update: 404 when the target is gone before the sources are read', async () => {
  const planning = scene.plan({ igdbId: 9001, summary: 'New' }, { targetId: new ObjectId() })

  expect(await refusal(planning)).toMatchObject({ code: 'NOT_FOUND', message: MESSAGES.gameGone })
  expect(scene.igdb.requests).toEqual([])
})

it('an add with an IGDB id makes the game of the entry, with its images and characters, and never checks for duplicates', async () => {
  await insertKeyedGame(scene.deps, { name: 'Lantern Keep' })
  scene.igdb.games.push(LANTERN_KEEP)
  scene.igdb.characters.push(...KEEPERS)
  const { game, images, warnings } = await scene.approve({ igdbId: 9001, status: 'Alpha' })
  const mira = await scene.service.db.characters.findOne({ name: 'Mira' })

  expect(warnings).toEqual([])
  expect(game).toMatchObject({
    name: 'Lantern Keep',
    slug: 'lantern-keep-2',
    type: 'Remake',
    status: 'Alpha',
    first_release: RELEASED,
    igdb: { gameId: 9001, hypes: 3 },
  })
  expect(game).not.toHaveProperty('isCustom')
  expect(game.screenshots).toHaveLength(2)
  expect(mira).toMatchObject({ gameIds: [game._id], species: 'Human' })
  expect([...images].sort()).toEqual(
    [game.cover, ...(game.screenshots ?? []), ...(game.artworks ?? []), mira?.mugShot].sort(),
  )
  expect(await scene.service.db.characters.countDocuments()).toBe(1)
  expect([...scene.objects].sort()).toEqual(scene.recorded.toSorted())
})

it('an add with an IGDB id prefers picked fields to those of IGDB', async () => {
  scene.igdb.games.push(LANTERN_KEEP)
  const { game } = await scene.approve({ igdbId: 9001, name: 'Laternenfeste', genres: ['Strategy'], type: 'Port' })

  expect(game).toMatchObject({ name: 'Laternenfeste', slug: 'laternenfeste', genres: ['Strategy'], type: 'Port' })
  expect(game.themes).toEqual(['Fantasy'])
})

it('an add with an IGDB id uses the game that has the id as it is, and writes the other picked fields to it', async () => {
  scene.igdb.games.push(LANTERN_KEEP)
  const facts = { name: 'Chrono Trigger', genres: ['RPG'], igdb: { gameId: 9001 } }
  const before = await insertKeyedGame(scene.deps, facts)
  expect((await scene.approve({ igdbId: 9001 })).game).toEqual(before)

  const { game, resultId } = await scene.approve({ igdbId: 9001, summary: 'New' })
  expect(resultId).toEqual(before._id)
  expect(game).toMatchObject({ name: 'Chrono Trigger', genres: ['RPG'], summary: 'New', igdb: { gameId: 9001 } })
  expect(scene.igdb.requests).toEqual([])
  expect(await countGames()).toBe(1)
})

it('an add with an IGDB id makes a game from the name where IGDB cannot be read: one warning, one try, no id, and a check for duplicates', async () => {
  const { game, warnings } = await scene.approve({ igdbId: 404, name: 'Lantern Keep' })

  expect(warnings).toEqual([`IGDB 404 could not be parsed: ${NO_ENTRY}`])
  expect(game).toMatchObject({ name: 'Lantern Keep', isCustom: true, type: 'Main Game' })
  for (const field of ['igdb', 'isStopParsing']) expect(game).not.toHaveProperty(field)
  expect(scene.igdb.queries('games')).toHaveLength(1)
  const again = await refusal(scene.plan({ igdbId: 404, name: 'Lantern Keep' }))
  expect(again).toMatchObject({ code: 'CONFLICT', message: MESSAGES.possibleDuplicates })
})

it.each([
  [{ igdbId: 9001, summary: 'New' }, 'IGDB 9001 could not be parsed: the source answered with status 500'],
  [{ vndbId: 'v404' }, `VNDB v404 could not be parsed: ${NO_ENTRY}`],
])('502 where the source of %j cannot be read and nothing else names the game', async (payload, message) => {
  scene.igdb.fail(500)

  expect(await refusal(scene.plan(payload))).toEqual({ code: 'BAD_GATEWAY', message, details: {} })
  expect(await countGames()).toBe(0)
})

it('an add with an IGDB id is made from VNDB where IGDB cannot be read and there is no name', async () => {
  scene.vndb.put({ id: 'v17', title: 'Ever17' })
  const { game, warnings } = await scene.approve({ igdbId: 404, vndbId: 'v17' })

  expect(warnings).toEqual([`IGDB 404 could not be parsed: ${NO_ENTRY}`])
  expect(game).toMatchObject({ name: 'Ever17', isCustom: true, vndb: { vnId: 'v17' } })
})

it('an add with a VNDB id and no name takes the name and all fields that were not picked from the entry', async () => {
  scene.vndb.put({
    id: 'v17',
    title: 'Ever17',
    aliases: ['E17'],
    released: '2002-08-29',
    description: 'Under water.',
  })
  const { game, warnings } = await scene.approve({ vndbId: 'v17', summary: 'Picked' })

  expect(warnings).toEqual([])
  expect(game).toMatchObject({
    name: 'Ever17',
    slug: 'ever17',
    isCustom: true,
    type: 'Main Game',
    summary: 'Picked',
    alternative_names: ['E17'],
    vndb: { vnId: 'v17' },
  })
  expect(scene.vndb.requests.filter(({ body }) => body.includes('v17'))).toHaveLength(1)
})

it('409 for an add with a VNDB id, with the game of the same title', async () => {
  scene.vndb.put({ id: 'v18', title: 'Ever17' })
  const { _id, name, slug } = await insertKeyedGame(scene.deps, { name: 'Ever17' })
  const { details } = await refusal(scene.plan({ vndbId: 'v18' }))

  expect(details.duplicates).toEqual([{ _id: _id.toHexString(), name, slug, score: expect.any(Number) }])
})

it('409 for an add with a VNDB id, with the game that has it; forced, a new game without the id', async () => {
  scene.vndb.put({ id: 'v19', title: 'Ever17', released: '2002-08-29' })
  const { _id, name, slug } = await insertKeyedGame(scene.deps, { name: 'Never7', vndb: { vnId: 'v19' } })

  expect(await refusal(scene.plan({ vndbId: 'v19' }))).toEqual({
    code: 'CONFLICT',
    message: MESSAGES.possibleDuplicates,
    details: { duplicates: [{ _id: _id.toHexString(), name, slug, score: 100 }] },
  })

  const { game, warnings } = await scene.approve({ vndbId: 'v19' }, { force: true })
  expect(game).toMatchObject({ name: 'Ever17', isCustom: true })
  expect(game).not.toHaveProperty('vndb')
  expect(game).not.toHaveProperty('first_release')
  expect(warnings).toEqual(['VNDB v19 already belongs to "Never7"'])
})

it('200 submits the page of a new game to search engines, unless it came from IGDB', async () => {
  const { _id: targetId } = await insertKeyedGame(scene.deps, { name: 'Quiet Harbour' })
  scene.igdb.games.push({ ...LANTERN_KEEP, name: 'Parsed' })
  const requests = [
    await scene.insertRequest({ summary: 'New' }, targetId),
    await scene.insertRequest({ igdbId: LANTERN_KEEP.id }),
    await scene.insertRequest({ name: 'Another' }),
  ]
  for (const { _id } of requests) {
    expect((await admin.post(`/requests/${_id}/decision`, { body: { decision: 'approve' } })).status).toBe(200)
  }

  const listPages = () => scene.indexNow.announced.flatMap(({ urlList }) => urlList)
  await expect.poll(listPages).toEqual(['https://games.example/games/another'])
})

it('409 for an add by name, with all likely duplicates, best first', async () => {
  const first_release = RELEASED
  const twin = await insertKeyedGame(scene.deps, { name: 'Lantern Keep', first_release })
  const bare = await insertKeyedGame(scene.deps, { name: 'Lantern Keep' })
  await insertKeyedGame(scene.deps, { name: 'Harbour Lights' })
  const refused = await refusal(scene.plan({ name: 'Lantern Keep', first_release }))
  const scores = refused.details.duplicates?.map(({ score }) => score) ?? []

  expect(refused).toMatchObject({ code: 'CONFLICT', message: MESSAGES.possibleDuplicates })
  expect(refused.details.duplicates?.map(({ _id }) => _id)).toEqual([twin, bare].map(({ _id }) => _id.toHexString()))
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  for (const score of scores) expect(Number.isInteger(score) && score > 50 && score <= 100).toBe(true)
  expect(await countGames()).toBe(3)
})

it.each([
  ['the alternative names', { alternative_names: ['灯台守'] }, { name: '灯台守' }],
  ['the companies', { companies: [{ name: 'North Pier' }] }, { companies: [{ name: 'North Pier', developer: true }] }],
  ['the developer', { developer: 'North Pier' }, { companies: [{ name: 'North Pier', developer: true }] }],
  ['the publisher', { publisher: 'North Pier' }, { companies: [{ name: 'North Pier', publisher: true }] }],
  ['the summary', { summary: TELLING }, { summary: TELLING }],
  ['the platforms', { platformIds: [PLATFORM.toHexString()] }, { platformIds: [PLATFORM] }],
])('an add by name holds %s against the catalogue', async (_, picked, stored) => {
  await insertKeyedGame(scene.deps, { name: 'Lantern Keep', ...stored })
  const findScore = async (payload: object) => {
    const { details } = await refusal(scene.plan({ name: 'Lantern Keep', ...payload }))
    return details.duplicates?.[0]?.score ?? 0
  }
  const refused = await refusal(scene.plan({ name: 'Lantern Keep', ...picked }))

  expect(refused.details.duplicates?.[0]?.score).toBeGreaterThan('name' in stored ? 75 : await findScore({}))
})

it.each([
  ['the release', { first_release: RELEASED }, { first_release: RELEASED - 20 * 31_556_952 }],
  ['the type', { type: 'Main Game' }, { type: 'Remake' }],
])('an add by name distinguishes games by %s', async (_, picked, stored) => {
  await insertKeyedGame(scene.deps, { name: 'Lantern Keep', ...stored })

  expect((await refusal(scene.plan({ name: 'Lantern Keep' }))).code).toBe('CONFLICT')
  expect((await scene.approve({ name: 'Lantern Keep', ...picked })).game.slug).toBe('lantern-keep-2')
})
