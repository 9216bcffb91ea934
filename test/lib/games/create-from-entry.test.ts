import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFromEntry } from '../../../lib/games/create-from-entry.ts'
import { searchGames } from '../../../lib/games/search-games.ts'
import { unlinkEntry } from '../../../lib/games/unlink-entry.ts'
import { igdbEntry, vndbEntry } from '../../support/rows/entries.ts'
import { insertGame } from '../../support/rows/rows.ts'
import { type CatalogueScene, openCatalogueScene } from '../../support/scenes/catalogue-scene.ts'

let scene: CatalogueScene
beforeAll(async () => {
  scene = await openCatalogueScene()
})
beforeEach(async () => {
  await scene.db.games.deleteMany({})
})
afterAll(() => scene.close())

const FIELDS = { name: 'Château Noir', alternative_names: ['Burg'], cover: 'https://cdn.example/c' }

describe('createFromEntry', () => {
  it('makes a game of all that the source has, under the id that its images have', async () => {
    const gameId = new ObjectId()
    const { game, isNew } = await createFromEntry(scene, {
      resolved: igdbEntry(5, { fields: FIELDS }),
      gameId,
      fencingToken: 4,
    })

    expect(isNew).toBe(true)
    expect(await scene.db.games.findOne({ _id: gameId })).toEqual(game)
    expect(game).toMatchObject({
      ...FIELDS,
      slug: 'chateau-noir',
      type: 'Main Game',
      igdb: { gameId: 5, total_rating_count: 40 },
      fencingTokens: { igdb: 4 },
      searchRank: 42_000 - 'chateau noir'.length,
    })
    expect(game).not.toHaveProperty('isCustom')
    expect((await searchGames(scene, { searchString: 'burg', take: 5 })).total).toBe(1)
  })

  it.each([
    ['igdb', igdbEntry(5), { igdb: { gameId: 5 } }],
    ['vndb', vndbEntry('v5'), { vndb: { vnId: 'v5' } }],
  ])('answers the game that has the entry of %s, as it is', async (_, resolved, facts) => {
    const _id = await insertGame(scene.db, { slug: 'lantern-keep', ...facts })
    const before = await scene.db.games.findOne({ _id })
    const create = () => createFromEntry(scene, { resolved, gameId: new ObjectId(), fencingToken: 2 })

    expect(await create()).toEqual({ game: before, isNew: false })
    expect(await scene.db.games.countDocuments()).toBe(1)
  })

  it('makes one game of an entry, however often it is told at once', async () => {
    const created = await Promise.all(
      Array.from({ length: 10 }, () => createFromEntry(scene, { resolved: vndbEntry('v5') })),
    )

    expect(created.filter(({ isNew }) => isNew)).toHaveLength(1)
    expect(new Set(created.map(({ game }) => game._id.toHexString())).size).toBe(1)
    expect(await scene.db.games.countDocuments()).toBe(1)
  })

  it('is the same game when it is told again under the same id, also after that lost the entry', async () => {
    const gameId = new ObjectId()
    const create = (fencingToken: number) => createFromEntry(scene, { resolved: igdbEntry(5), gameId, fencingToken })
    const { game } = await create(1)

    expect(await create(2)).toEqual({ game, isNew: false })
    await unlinkEntry(scene, { game, source: 'igdb', id: '5', fencingToken: 3 })
    expect((await create(2)).game).not.toHaveProperty('igdb')
    expect(await create(4)).toMatchObject({ game: { _id: gameId, igdb: { gameId: 5 } }, isNew: false })
    expect(await scene.db.games.countDocuments()).toBe(1)
  })

  it('is another game when the one of this id was given another entry', async () => {
    const gameId = await insertGame(scene.db, { slug: 'mine', igdb: { gameId: 6 } })
    const { game, isNew } = await createFromEntry(scene, { resolved: igdbEntry(5), gameId })

    expect(isNew).toBe(true)
    expect(game._id).not.toEqual(gameId)
    expect(await scene.db.games.findOne({ _id: gameId })).toMatchObject({ igdb: { gameId: 6 } })
  })
})
