import { ObjectId } from 'mongodb'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { ResolvedEntry } from '../../../lib/entries/resolve-entries.ts'
import { searchGames } from '../../../lib/games/search-games.ts'
import { createGame, linkEntry, unlinkEntry } from '../../../lib/games/write-entry.ts'
import { hltbEntry, igdbEntry, raEntry, vndbEntry } from '../../support/rows/entries.ts'
import { insertGame } from '../../support/rows/rows.ts'
import { openCatalogueScene } from '../../support/scenes/catalogue-scene.ts'

const scene = await openCatalogueScene()
beforeEach(async () => {
  await scene.db.games.deleteMany({})
})
afterAll(() => scene.close())

const stored = (_id: ObjectId) => scene.db.games.findOne({ _id })
const link = (gameId: ObjectId, resolved: ResolvedEntry, writes: 'all' | 'link' = 'all') =>
  scene.db.transaction((session) => linkEntry(scene, { gameId, resolved, writes, session }))

/** A game that must stay as it is, whatever is written to another. */
async function insertBystander() {
  const _id = await insertGame(scene.db, { slug: 'bystander', name: 'Bystander', igdb: { gameId: 6 } })
  const before = await stored(_id)
  return async () => expect(await stored(_id)).toEqual(before)
}

const FIELDS = { name: 'Château Noir', alternative_names: ['$Burg'], summary: '$name' }
const KEYS = { nameKey: 'chateau noir', searchRank: 42_000 - 'chateau noir'.length }

describe('linkEntry', () => {
  it('writes what the source has, so that the game is found by its new names', async () => {
    const expectBystander = await insertBystander()
    const gameId = await insertGame(scene.db, { name: 'Old', slug: 'old' })
    await link(gameId, igdbEntry(5, { fields: FIELDS }))

    expect(await stored(gameId)).toMatchObject({ ...FIELDS, ...KEYS, slug: 'old', igdb: { gameId: 5 } })
    expect((await searchGames(scene, { searchString: 'burg', take: 5 })).total).toBe(1)
    await expectBystander()
  })

  it('writes the link alone where it is told to', async () => {
    const gameId = await insertGame(scene.db, { name: 'Old', isStopParsing: true })
    await link(gameId, igdbEntry(5, { fields: { summary: 'New' } }), 'link')

    expect(await stored(gameId)).toMatchObject({ name: 'Old', isStopParsing: true, igdb: { gameId: 5 } })
    expect(await stored(gameId)).not.toHaveProperty('summary')
  })

  it('lets one of two games have an entry that both are given at once', async () => {
    const games = [await insertGame(scene.db, { name: 'A' }), await insertGame(scene.db, { name: 'B' })]
    const links = await Promise.allSettled(games.map((gameId) => link(gameId, igdbEntry(5))))

    expect(links.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect(await scene.db.games.countDocuments({ 'igdb.gameId': 5 })).toBe(1)
  })

  it('lets entries of all sources that are written at once all arrive', async () => {
    const gameId = await insertGame(scene.db)
    const entries = [igdbEntry(5), vndbEntry('v1'), hltbEntry('42'), raEntry(8), raEntry(9)]
    await Promise.all(entries.map((resolved) => link(gameId, resolved)))

    const game = await stored(gameId)
    expect(game).toMatchObject({
      igdb: { gameId: 5 },
      vndb: { vnId: 'v1' },
      hltb: { hltbId: '42' },
      searchRank: 49_000 - 'lantern keep'.length,
    })
    expect(game?.retroachievements?.map((each) => each.gameId).toSorted((a, b) => a - b)).toEqual([8, 9])
  })
})

it('createGame makes a game of all that the source has, under the given id', async () => {
  const gameId = new ObjectId()
  const resolved = igdbEntry(5, { fields: FIELDS })
  await scene.db.transaction((session) => createGame(scene, { gameId, resolved, session }))

  const made = { slug: 'chateau-noir', type: 'Main Game', igdb: { gameId: 5, total_rating_count: 40 } }
  expect(await stored(gameId)).toMatchObject({ ...FIELDS, ...KEYS, ...made })
  expect(await stored(gameId)).not.toHaveProperty('isCustom')
})

it('unlinkEntry takes the link and the votes that came with it, nothing else, and frees it for another game', async () => {
  const expectBystander = await insertBystander()
  const gameId = await insertGame(scene.db)
  await link(gameId, igdbEntry(5, { fields: { summary: 'New' } }))
  await scene.db.transaction((session) => unlinkEntry(scene, { gameId, source: 'igdb', session }))

  expect(await stored(gameId)).toMatchObject({ summary: 'New', searchRank: -'lantern keep'.length })
  expect(await stored(gameId)).not.toHaveProperty('igdb')
  await expectBystander()
  const other = await insertGame(scene.db)
  await link(other, igdbEntry(5))
  expect(await stored(other)).toMatchObject({ igdb: { gameId: 5 } })
})
