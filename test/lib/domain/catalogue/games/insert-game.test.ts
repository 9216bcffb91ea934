import { beforeEach, expect, it } from 'vitest'
import type { insertGame } from '#lib/domain/catalogue/games/insert-game'
import { searchGames } from '#lib/domain/catalogue/games/search-games'
import { expectIndexed, profile } from '../../../../support/clients/profile.ts'
import { insertKeyedGame, newGame } from '../../../../support/rows/rows.ts'
import { useCatalogueScene } from '../../../../support/scenes/catalogue-scene.ts'

const scene = await useCatalogueScene()
beforeEach(() => scene.reset())

const insert = (fields: Partial<Parameters<typeof insertGame>[1]> = {}) =>
  insertKeyedGame(scene, { name: 'Lantern Keep', ...fields })

it('a game is stored with its keys, so that a search finds it by any of its names', async () => {
  const game = await insert({
    alternative_names: ['Château Lanterne'],
    companies: [{ name: 'North Pier, Ltd.', developer: true }],
    igdb: { gameId: 5, total_rating_count: 3 },
    summary: '',
    genres: [],
  })

  expect(await scene.db.games.findOne({ _id: game._id })).toEqual(game)
  expect(game).toMatchObject({
    slug: 'lantern-keep',
    type: 'Main Game',
    nameKey: 'lantern keep',
    companies: [{ name: 'North Pier, Ltd.', developer: true, key: 'north pier ltd' }],
    searchRank: 3_000 - 'lantern keep'.length,
  })
  expect(game).not.toHaveProperty('summary')
  expect(game).not.toHaveProperty('genres')
  const { results } = await searchGames(scene, { searchString: 'chateau', take: 10 })
  expect(results.map(({ slug }) => slug)).toEqual(['lantern-keep'])
})

it('each of several games of one name, inserted at once, gets a slug', async () => {
  const games = await Promise.all(Array.from({ length: 8 }, () => insert()))

  expect(new Set(games.map(({ slug }) => slug)).size).toBe(8)
  expect(games.map(({ slug }) => slug)).toContain('lantern-keep')
  for (const { slug } of games) expect(slug).toMatch(/^lantern-keep(-\d+)?$/)
  expect(await scene.db.games.countDocuments()).toBe(8)
})

it('the next number of a slug is found with one query, and a free one is used first', async () => {
  const rows = Array.from({ length: 700 }, (_, index) =>
    newGame({ slug: index === 0 ? 'lantern-keep' : `lantern-keep-${index + 1}` }),
  )
  await scene.db.games.insertMany(rows)

  const reads = await profile(scene.db, 'games', async () => {
    expect((await insert()).slug).toBe('lantern-keep-701')
  })
  expect(reads.filter(({ op }) => op === 'query')).toHaveLength(1)
  expectIndexed(reads, { docs: 0 })
  await scene.db.games.deleteOne({ slug: 'lantern-keep-300' })
  expect((await insert()).slug).toBe('lantern-keep-300')
})
