import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { changeGame } from '#lib/domain/catalogue/games/change-game'
import { insertGame } from '../../../../support/rows/rows.ts'
import { useCatalogueScene } from '../../../../support/scenes/catalogue-scene.ts'
import { BUSY_MACHINE_MS } from '../../../../support/service/start-service.ts'

const scene = await useCatalogueScene()
beforeEach(() => scene.reset())

const stored = (_id: ObjectId) => scene.db.games.findOne({ _id })

const change = (gameId: ObjectId, compute: Parameters<typeof changeGame>[2]) =>
  scene.db.transaction((session) => changeGame(scene, gameId, compute, { session }), { timeoutMs: BUSY_MACHINE_MS })

it('a change writes and removes fields, answers the stored game, and touches no other game', async () => {
  const other = await insertGame(scene.db, { slug: 'other' })
  const untouched = await stored(other)
  const _id = await insertGame(scene.db, { slug: 'keep', summary: 'Old', storyline: 'Old' })
  const game = await change(_id, () => ({ $set: { genres: ['Puzzle'] }, $unset: ['summary'] }))

  expect(game).toEqual(await stored(_id))
  expect(game).toMatchObject({ name: 'Lantern Keep', slug: 'keep', genres: ['Puzzle'], storyline: 'Old' })
  expect(game).not.toHaveProperty('summary')
  expect(await stored(other)).toEqual(untouched)
})

it('a change makes the derived keys anew, and keeps the slug', async () => {
  const _id = await insertGame(scene.db, {
    slug: 'keep',
    companies: [{ name: 'North Pier' }],
    vndb: { vnId: 'v1', votecount: 3 },
  })
  const game = await change(_id, ({ companies = [] }) => ({
    $set: { name: 'Château', alternative_names: ['Burg'], companies: [...companies, { name: 'Ödland' }] },
  }))

  expect(game).toMatchObject({
    slug: 'keep',
    nameKey: 'chateau',
    alternativeKeys: ['burg'],
    searchWords: ['chateau', 'burg'],
    searchRank: 3_000 - 'chateau'.length,
    companies: [
      { name: 'North Pier', key: 'north pier' },
      { name: 'Ödland', key: 'odland' },
    ],
  })
  expect(await change(_id, () => ({ $unset: ['vndb'] }))).toMatchObject({ searchRank: -7 })
})

it('texts that look like expressions are stored as texts', async () => {
  const _id = await insertGame(scene.db)
  const $set = {
    name: '$name',
    summary: '$$ROOT',
    genres: ['$slug'],
    companies: [{ name: '$$NOW', key: 'now' }],
    igdb: { gameId: 4, url: '$url', $odd: { $literal: '$x' } },
  }

  expect(await change(_id, () => ({ $set }))).toMatchObject($set)
  expect(await change(_id, () => ({ $set: { igdb: { gameId: 4 } } }))).toMatchObject({
    igdb: { gameId: 4 },
  })
  expect((await stored(_id))?.igdb).toEqual({ gameId: 4 })
})

it('every change has a later time than the one before, also when that one lies in the future', async () => {
  const updatedAt = new Date(Date.now() + 3_600_000)
  const _id = await insertGame(scene.db, { updatedAt })
  const times: number[] = [updatedAt.getTime()]
  for (let round = 0; round < 5; round += 1) {
    const game = await change(_id, () => ({ $set: { summary: `${round}` } }))
    times.push(game?.updatedAt.getTime() ?? 0)
  }

  expect(times).toEqual(Array.from({ length: 6 }, (_, index) => updatedAt.getTime() + index))
})

it('10 changes of one list at the same time are all stored', async () => {
  const _id = await insertGame(scene.db)
  const add = (keyword: string) => change(_id, ({ keywords = [] }) => ({ $set: { keywords: [...keywords, keyword] } }))
  const keywords = Array.from({ length: 10 }, (_, index) => `k${index}`)
  const games = await Promise.all(keywords.map(add))

  expect((await stored(_id))?.keywords?.toSorted()).toEqual(keywords.toSorted())
  expect(new Set(games.map((game) => game?.updatedAt.getTime())).size).toBe(10)
})

it('a change of null writes nothing', async () => {
  const _id = await insertGame(scene.db)
  const before = await stored(_id)

  expect(await change(_id, () => null)).toEqual(before)
  expect(await stored(_id)).toEqual(before)
})

it.each([
  ['nulls for lists', { alternative_names: null, companies: null, igdb: null }],
  ['no times', { updatedAt: null }],
  ['a text for a time', { updatedAt: 'yesterday' }],
  ['no name', { name: null }],
])('a game that another program stored with %s can be changed', async (_, odd) => {
  const _id = new ObjectId()
  await scene.db.games.db.collection('games').insertOne({ _id, name: 'Old', slug: `old-${_id}`, ...odd })
  const game = await change(_id, () => ({ $set: { genres: ['Puzzle'] } }))

  expect(game).toMatchObject({ genres: ['Puzzle'], nameKey: expect.any(String) })
  expect(game?.updatedAt).toBeInstanceOf(Date)
})
