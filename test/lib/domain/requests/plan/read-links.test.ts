import { beforeEach, describe, expect, it } from 'vitest'
import { useGamesScene } from '../../../../support/scenes/games-scene.ts'
import { KEEPERS, LANTERN_KEEP } from '../../../infrastructure/sources/igdb/lantern-keep.ts'

const NO_ENTRY = 'the source has no such entry'

const scene = await useGamesScene()
const switchedOff = await useGamesScene({ without: ['hltb'] })
beforeEach(() => Promise.all([scene.reset(), switchedOff.reset()]))

const { insertGame: insert } = scene

describe('igdbId', () => {
  beforeEach(() => {
    scene.igdb.games.push(LANTERN_KEEP)
    scene.igdb.characters.push(...KEEPERS)
  })

  it('is linked and parsed: its fields, images and characters', async () => {
    const targetId = await insert({ summary: 'Old', keywords: ['old'], isStopParsing: true })
    const { game, warnings } = await scene.approve({ igdbId: 9001 }, { targetId })

    expect(warnings).toEqual([])
    expect(game).toMatchObject({
      name: 'Lantern Keep',
      slug: 'harbour-lights',
      nameKey: 'lantern keep',
      summary: 'Keep the lanterns lit.',
      igdb: { gameId: 9001 },
      isStopParsing: true,
    })
    expect(game.artworks).toHaveLength(1)
    expect(await scene.service.db.characters.findOne({ name: 'Mira' })).toMatchObject({ gameIds: [targetId] })
  })

  it.each([{}, { vndb: { vnId: 'v17' } }])('replaces an earlier link, also of a game with %j', async (other) => {
    const targetId = await insert({ igdb: { gameId: 5, hypes: 99, follows: 7 }, ...other })
    const { game } = await scene.approve({ igdbId: 9001 }, { targetId })

    expect(game.igdb).toMatchObject({ gameId: 9001, hypes: 3 })
    expect(game.igdb).not.toHaveProperty('follows')
  })

  it('is a warning where another game owns it', async () => {
    await insert({ name: 'Chrono Trigger', igdb: { gameId: 9001 } })
    const { game, warnings } = await scene.approve({ igdbId: 9001, summary: 'New' }, { targetId: await insert() })

    expect(warnings).toEqual(['IGDB 9001 already belongs to "Chrono Trigger"'])
    expect(game).toMatchObject({ name: 'Harbour Lights', summary: 'New' })
    expect(game).not.toHaveProperty('igdb')
    expect(scene.igdb.requests).toEqual([])
  })

  it('is a warning where the game comes from VNDB', async () => {
    const targetId = await insert({ vndb: { vnId: 'v17' } })
    const { game, warnings } = await scene.approve({ igdbId: 9001 }, { targetId })

    expect(warnings).toEqual(['This game comes from VNDB, so IGDB 9001 was not linked'])
    expect(game).not.toHaveProperty('igdb')
  })

  it('is a warning where it cannot be read, and is not linked', async () => {
    await scene.reset({ attemptMs: 300, callMs: 600 })
    const targetId = await insert({ igdb: { gameId: 5 } })
    scene.igdb.fail('silence')
    const { game, warnings } = await scene.approve({ igdbId: 9001 }, { targetId })

    expect(warnings).toEqual(['IGDB 9001 could not be parsed: the source did not answer in time'])
    expect(game.igdb).toEqual({ gameId: 5 })
  })

  it.each([
    ['gets another owner', { igdb: { gameId: 9001 } }, {}, 'IGDB 9001 already belongs to "Chrono Trigger"'],
    ['is found to come from VNDB', {}, { vndb: { vnId: 'v1' } }, /^This game comes from VNDB/],
  ])('409 where the game %s before the write, and nothing is written', async (_, other, changed, message) => {
    const targetId = await insert()
    const { commit } = await scene.plan({ igdbId: 9001, summary: 'New' }, { targetId })
    await insert({ name: 'Chrono Trigger', ...other })
    await scene.service.db.games.updateOne({ _id: targetId }, { $set: changed })

    await expect(commit()).rejects.toMatchObject({ code: 'CONFLICT', message: expect.stringMatching(message) })
    expect(await scene.game(targetId)).not.toHaveProperty('summary')
    expect(await scene.service.db.characters.countDocuments()).toBe(0)
  })
})

const NOVEL = { id: 'v17', title: 'Ever17', description: 'Under water.', released: '2002-08-29', votecount: 50 }

it('vndbId is linked and parsed, and fills only empty fields', async () => {
  scene.vndb.put(NOVEL)
  const targetId = await insert({ igdb: { gameId: 5 }, summary: 'Old' })
  const { game, warnings } = await scene.approve({ vndbId: 'v17' }, { targetId })

  expect(warnings).toEqual([])
  expect(game).toMatchObject({
    name: 'Harbour Lights',
    summary: 'Old',
    first_release: Date.UTC(2002, 7, 29) / 1_000,
    vndb: { vnId: 'v17', votecount: 50, syncedAt: expect.any(Date) },
  })
})

it('vndbId fills the fields of a new game that were not picked', async () => {
  scene.vndb.put({ ...NOVEL, developers: [{ id: 'p1', name: 'KID' }] })
  const { game } = await scene.approve({ name: 'Ever Seventeen', vndbId: 'v17', publisher: 'Kid' })

  const companies = [{ name: 'KID', key: 'kid', developer: true, publisher: true }]
  expect(game).toMatchObject({ name: 'Ever Seventeen', summary: 'Under water.', companies })
})

it('vndbId is kept with a warning where it cannot be read', async () => {
  const { game, warnings } = await scene.approve({ vndbId: 'v404' }, { targetId: await insert() })

  expect(warnings).toEqual([`VNDB v404 was linked but could not be parsed: ${NO_ENTRY}`])
  expect(game.vndb).toEqual({ vnId: 'v404' })
})

it('vndbId keeps all fields of an earlier parse of the same entry, and drops those of another entry', async () => {
  const targetId = await insert({ igdb: { gameId: 5 }, vndb: { vnId: 'v404', votecount: 3 } })

  expect((await scene.approve({ vndbId: 'v404' }, { targetId })).game.vndb).toEqual({ vnId: 'v404', votecount: 3 })
  expect((await scene.approve({ vndbId: 'v405' }, { targetId })).game.vndb).toEqual({ vnId: 'v405' })
})

it('vndbId is linked beside an IGDB id of the same request', async () => {
  scene.vndb.put(NOVEL)
  scene.igdb.games.push(LANTERN_KEEP)
  const both = { igdbId: 9001, vndbId: 'v17' }
  const added = await scene.approve(both)
  await scene.service.db.games.deleteMany({})
  const updated = await scene.approve(both, { targetId: await insert() })

  for (const { game, warnings } of [added, updated]) {
    expect(warnings).toEqual([])
    expect(game).toMatchObject({ name: 'Lantern Keep', igdb: { gameId: 9001 }, vndb: { vnId: 'v17' } })
  }
})

it('hltbId is synced', async () => {
  scene.hltb.put({ game_id: 42, game_name: 'Harbour Lights', comp_main: 36_000, comp_main_count: 3 })
  const targetId = await insert({ hltb: { hltbId: '5', coop: 3 } })
  const { game, warnings } = await scene.approve({ hltbId: '42' }, { targetId })

  expect(warnings).toEqual([])
  expect(game).toMatchObject({ name: 'Harbour Lights', hltb: { hltbId: '42', mainStory: 10 } })
  expect(game.hltb).not.toHaveProperty('coop')
})

it.each([
  ['the sync failed', scene, '404', NO_ENTRY],
  ['the source is switched off', switchedOff, '42', 'the source is switched off'],
])('hltbId is kept with a warning where %s', async (_, { approve }, hltbId, reason) => {
  const { game, warnings } = await approve({ name: 'Harbour Lights', hltbId })

  expect(warnings).toEqual([`HLTB ${hltbId} could not be synced: ${reason}`])
  expect(game.hltb).toEqual({ hltbId, updatedAt: expect.any(Date) })
})

describe('retroachievements', () => {
  const STORED = { gameId: 1, consoleId: 7, consoleName: 'NES', numAchievements: 5 }

  beforeEach(() => {
    scene.ra.put(
      { ID: 1, Title: 'One', ConsoleID: 7, ConsoleName: 'NES', NumAchievements: 20 },
      { ID: 2, Title: 'Two', ConsoleID: 3, ConsoleName: 'SNES', NumAchievements: 9 },
    )
  })

  it('are read and appended', async () => {
    const targetId = await insert({ retroachievements: [{ gameId: 9, consoleId: 9 }] })
    const retroachievements = [
      { gameId: 2, consoleId: 3 },
      { gameId: 1, consoleId: 7 },
    ]
    const { game, warnings } = await scene.approve({ retroachievements }, { targetId })

    expect(warnings).toEqual([])
    expect(game.retroachievements).toMatchObject([
      { gameId: 9, consoleId: 9 },
      { gameId: 2, consoleId: 3, consoleName: 'SNES', numAchievements: 9 },
      { gameId: 1, consoleId: 7, consoleName: 'NES', numAchievements: 20 },
    ])
  })

  it('are never doubled: a stored one is updated', async () => {
    const again = { gameId: 1, consoleId: 7 }
    const other = { ...STORED, gameId: 999 }
    const targetId = await insert({ retroachievements: [STORED, other] })
    const { game } = await scene.approve({ retroachievements: [again, again] }, { targetId })

    expect(game.retroachievements).toMatchObject([{ ...STORED, numAchievements: 20 }, other])
  })

  it('are appended with their two ids and a warning where they cannot be read', async () => {
    const retroachievements = [
      { gameId: 404, consoleId: 7 },
      { gameId: 1, consoleId: 8 },
    ]
    const targetId = await insert({ retroachievements: [{ ...STORED, gameId: 404 }, STORED] })
    const { game, warnings } = await scene.approve({ retroachievements }, { targetId })

    expect(warnings).toEqual([
      `RetroAchievements 404 was linked but could not be parsed: ${NO_ENTRY}`,
      'RetroAchievements 1 is a game of console 7 there, not of console 8',
    ])
    expect(game.retroachievements).toEqual([{ ...STORED, gameId: 404 }, STORED, { gameId: 1, consoleId: 8 }])
  })
})

it('warnings come in the order of the sources', async () => {
  const ids = { hltbId: '404', vndbId: 'v404', igdbId: 404, retroachievements: [{ gameId: 404, consoleId: 1 }] }
  const { warnings } = await scene.approve(ids, { targetId: await insert() })

  expect(warnings.map((warning) => warning.split(' ')[0])).toEqual(['IGDB', 'VNDB', 'HLTB', 'RetroAchievements'])
})

it('ends with its signal', async () => {
  const release = scene.igdb.hold()
  const reason = new Error('the service stops')
  const ending = new AbortController()
  const planning = scene.plan({ igdbId: 9001, summary: 'New' }, { targetId: await insert(), signal: ending.signal })
  await expect.poll(() => scene.igdb.open()).toBe(1)
  ending.abort(reason)

  await expect(planning).rejects.toBe(reason)
  release()
})
