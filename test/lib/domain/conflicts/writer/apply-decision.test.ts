import { ObjectId } from 'mongodb'
import { expect, test } from 'vitest'
import { createdGameId } from '#lib/domain/conflicts/writer/find-decisions'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { insertPlatform } from '../../../../support/rows/rows.ts'
import { useWriterScene } from '../../../../support/scenes/writer-scene.ts'

const scene = await useWriterScene()

const { apply, insertGame: insert, image } = scene
const skip = (facts: Parameters<typeof apply>[0]) => apply({ ...facts, decision: 'skip' })
const post = (record: ConflictDocument, verb: string, body?: unknown) =>
  scene.admin.post(`/conflicts/${record.source}/${record.externalId}/${verb}`, { body })

test('a match of VNDB links the entry and fills empty fields only', async () => {
  const platform = await insertPlatform(scene.service.db, { vndbId: 'win' })
  scene.vndb.put({
    id: 'v101',
    title: 'Lantern no Yoru',
    released: '2019-04',
    description: 'A [b]short[/b] tale.',
    rating: 74.2,
    votecount: 312,
    platforms: ['win', 'swi'],
    image: image('png/101'),
  })
  const winner = await insert({ name: 'Lantern Night', summary: 'My own words' })
  const record = await apply({
    source: 'vndb',
    externalId: 'v101',
    winner,
    failure: { message: 'Old', at: new Date() },
  })

  expect(record).toMatchObject({ status: 'resolved', decision: 'match', winner, failure: null })
  expect(record.externalData).toMatchObject({
    name: 'Lantern no Yoru',
    released: '2019-04',
    description: 'A short tale.',
    platformIds: [platform],
  })
  const game = await scene.game(winner)
  expect(game).toMatchObject({
    name: 'Lantern Night',
    summary: 'My own words',
    first_release: Date.UTC(2019, 3, 1) / 1000,
    platformIds: [platform],
    vndb: { vnId: 'v101', votecount: 312 },
    cover: expect.stringContaining(`covers/${winner}/`),
  })
  expect(await scene.objects('covers', winner)).toEqual([game.cover?.split('/').at(-1)])
})

test('a match of IGDB writes the fields of the entry, with images and characters', async () => {
  scene.igdb.games.push({
    id: 201,
    name: 'Lantern Keep',
    summary: 'A keep',
    game_type: { id: 0, type: 'Main Game' },
    cover: { id: 1, image_id: 'co201' },
    screenshots: [{ id: 1, image_id: 'sc201' }],
  })
  scene.igdb.characters.push({ id: 1, name: 'Wick', games: [{ id: 201 }], mug_shot: { id: 1, image_id: 'ch1' } })
  const winner = await insert({ name: 'lantern keep', slug: 'lantern-keep-x', summary: 'Old' })
  const record = await apply({ source: 'igdb', externalId: '201', winner })

  expect(record).toMatchObject({ status: 'resolved', winner, failure: null, externalData: { name: 'Lantern Keep' } })
  const game = await scene.game(winner)
  expect(game).toMatchObject({
    name: 'Lantern Keep',
    nameKey: 'lantern keep',
    slug: 'lantern-keep-x',
    summary: 'A keep',
    igdb: { gameId: 201 },
  })
  expect(game.screenshots).toHaveLength(1)
  expect(await scene.objects('covers', winner)).toHaveLength(1)
  const wick = await scene.service.db.characters.findOne({ name: 'Wick' })
  expect(wick).toMatchObject({ gameIds: [winner] })
  expect(await scene.objects('characters', wick?._id)).toHaveLength(1)
})

test('a match of HLTB writes the chosen entry to the game of the conflict', async () => {
  scene.hltb.put({ game_id: 301, game_name: 'Lantern Keep', comp_main: 36_000, comp_main_count: 7 })
  const gameId = await insert()
  const record = await apply({
    source: 'hltb',
    externalId: gameId.toHexString(),
    winnerEntryId: '301',
    entries: [
      { id: '300', name: 'Another' },
      { id: '301', name: 'Lantern Keep' },
    ],
  })

  expect(record).toMatchObject({ status: 'resolved', winner: null, winnerEntryId: '301', failure: null })
  expect(await scene.game(gameId)).toMatchObject({ hltb: { hltbId: '301', mainStory: 10, mainStoryCount: 7 } })
})

test('a match of RetroAchievements adds an entry to those of other consoles', async () => {
  scene.ra.put({ ID: 402, Title: 'Lantern Keep', ConsoleID: 7, ConsoleName: 'NES', NumAchievements: 12 })
  const other = { gameId: 401, consoleId: 3, consoleName: 'SNES' }
  const winner = await insert({ retroachievements: [other] })
  const record = await apply({ source: 'ra', externalId: '402', winner })

  expect(record).toMatchObject({ status: 'resolved', winner })
  expect((await scene.game(winner)).retroachievements).toEqual([
    other,
    expect.objectContaining({ gameId: 402, consoleId: 7, consoleName: 'NES', numAchievements: 12 }),
  ])
})

test.each([
  { source: 'vndb', externalId: 'v110', part: 'vndb' },
  { source: 'igdb', externalId: '210', part: 'igdb' },
] as const)(
  'a match of $source with a game that has `isStopParsing` writes only the link',
  async ({ part, ...entry }) => {
    scene.vndb.put({ id: 'v110', title: 'Lantern Stop', description: 'Theirs', image: image('png/110') })
    scene.igdb.games.push({ id: 210, name: 'Lantern Stop', summary: 'Theirs', cover: { id: 1, image_id: 'co210' } })
    scene.igdb.characters.push({ id: 210, name: `Nobody`, games: [{ id: 210 }] })
    const winner = await insert({ name: 'Stopped', isStopParsing: true })
    const before = await scene.game(winner)
    const record = await apply({ ...entry, winner })

    expect(record).toMatchObject({ status: 'resolved', externalData: { name: 'Lantern Stop' } })
    const { [part]: linked, updatedAt, ...others } = await scene.game(winner)
    expect(linked).toMatchObject(part === 'vndb' ? { vnId: 'v110' } : { gameId: 210 })
    const { updatedAt: _, ...othersBefore } = before
    // The keys are completed with any write.
    expect(others).toMatchObject(othersBefore)
    expect(others).not.toHaveProperty('summary')
    expect(others).not.toHaveProperty('cover')
    expect(await scene.objects('covers', winner)).toEqual([])
    expect(await scene.service.db.characters.countDocuments({ gameIds: winner })).toBe(0)
  },
)

test('a skip of VNDB makes a game, without an explicit cover', async () => {
  scene.vndb.put({ id: 'v501', title: 'Lantern Veil', image: image('png/501', 1.8) })
  const record = await skip({ source: 'vndb', externalId: 'v501' })

  expect(record).toMatchObject({ status: 'absent', externalData: { isExplicitCover: true } })
  const game = await scene.game(record.winner)
  expect(game).toMatchObject({ name: 'Lantern Veil', slug: 'lantern-veil', vndb: { vnId: 'v501' } })
  expect(game).not.toHaveProperty('cover')
})

test('a skip of an entry of the catalogue uses its game unchanged', async () => {
  scene.igdb.games.push({ id: 502, name: 'Lantern Twice', summary: 'Theirs', cover: { id: 1, image_id: 'co502' } })
  const owner = await insert({ name: 'Lantern Once', summary: 'Ours', igdb: { gameId: 502 } })
  const before = await scene.game(owner)
  const record = await skip({ source: 'igdb', externalId: '502' })

  expect(record).toMatchObject({ status: 'absent', winner: owner })
  expect(await scene.game(owner)).toEqual(before)
  expect(await scene.service.db.games.countDocuments({ 'igdb.gameId': 502 })).toBe(1)
  expect(await scene.objects('covers', createdGameId(record))).toEqual([])
})

test.each(['hltb', 'ra'] as const)('a skip of %s reads no source and links nothing', async (source) => {
  const gameId = await insert()
  const before = [scene.hltb.requests.length, scene.ra.requests.length]
  const record = await skip({ source, externalId: source === 'hltb' ? gameId.toHexString() : '403' })

  expect(record).toMatchObject({ status: 'absent', winner: null, failure: null })
  expect([scene.hltb.requests.length, scene.ra.requests.length]).toEqual(before)
  expect(await scene.game(gameId)).not.toHaveProperty('hltb')
  expect(await scene.service.db.games.countDocuments({ 'retroachievements.gameId': 403 })).toBe(0)
})

test('a match after a skip moves the link from the game that the skip made', async () => {
  scene.igdb.games.push({ id: 601, name: 'Lantern Move', summary: 'Theirs' })
  const chosen = await insert({ name: 'Lantern Moved' })
  const record = await scene.queue({ source: 'igdb', externalId: '601', decision: null, decidedBy: null })

  expect((await post(record, 'decision', { gameId: null })).status).toBe(200)
  const skipped = await scene.settled(record)
  const made = await scene.game(skipped.winner)
  await scene.announced(record)
  expect((await post(record, 'reopen')).status).toBe(200)
  expect((await post(record, 'candidates', { gameId: chosen.toHexString() })).status).toBe(200)
  expect((await post(record, 'decision', { gameId: chosen.toHexString() })).status).toBe(200)
  const matched = await scene.settled(record)
  await scene.announced(record)

  expect(matched).toMatchObject({ status: 'resolved', winner: chosen, failure: null })
  expect(await scene.game(chosen)).toMatchObject({ name: 'Lantern Move', igdb: { gameId: 601 } })
  const { igdb, ...left } = await scene.game(made._id)
  expect(igdb).toBeUndefined()
  expect(left).toMatchObject({ name: 'Lantern Move', slug: made.slug, summary: 'Theirs' })
  expect(await scene.eventsOf(record)).toEqual(['queued-new', 'applied', 'waiting', 'queued-match', 'applied'])
})
test('a match after a skip: a second skip links the entry to the game of the first skip again', async () => {
  scene.vndb.put({ id: 'v604', title: 'Lantern Again' })
  const first = await skip({ source: 'vndb', externalId: 'v604' })
  await post(first, 'reopen')
  await scene.service.db.games.updateOne({ _id: first.winner ?? new ObjectId() }, { $unset: { vndb: 1 } })
  await post(first, 'decision', { gameId: null })
  const second = await scene.settled(first)

  expect(second).toMatchObject({ status: 'absent', winner: first.winner })
  expect(await scene.game(second.winner)).toMatchObject({ vndb: { vnId: 'v604' } })
  expect(await scene.service.db.games.countDocuments({ name: 'Lantern Again' })).toBe(1)
})
