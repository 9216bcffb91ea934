import { expect, it } from 'vitest'
import { findUnknownGames } from '#lib/domain/catalogue/existing-games'
import { createExactCache } from '#lib/infrastructure/events/exact-cache'
import { profile } from '../../../support/clients/profile.ts'
import { unknownGame, useRoyalScene } from '../../../support/scenes/royal-scene.ts'

const scene = await useRoyalScene({ gamesCount: 500 })

it('names the ids that are no game, in their order', async () => {
  const [x, y] = [unknownGame(), unknownGame()]

  expect(await findUnknownGames(scene, [y, ...scene.games.slice(0, 498), x])).toEqual([y, x])
  expect(await findUnknownGames(scene, scene.games)).toEqual([])
  expect(await findUnknownGames(scene, [])).toEqual([])
})

it('asks only for the games that it does not know, by the index alone', async () => {
  const existingGames = createExactCache<object>({ isLive: () => true, maxBytes: 1_000_000, sizeOf: () => 1 })
  const deps = { db: scene.db, existingGames }
  const [first = '', ...others] = scene.games
  const ask = (ids: string[]) => profile(scene.db, 'games', () => findUnknownGames(deps, ids))

  expect(await ask(others)).toMatchObject([{ docsExamined: 0 }])
  expect(await ask(others)).toEqual([])
  expect(await ask(scene.games)).toMatchObject([{ keysExamined: 1 }])
  existingGames.drop(first)
  expect(await ask(scene.games)).toMatchObject([{ keysExamined: 1 }])
})

it('does not keep a game that goes meanwhile', async () => {
  const existingGames = createExactCache<object>({ isLive: () => true, maxBytes: 1_000_000, sizeOf: () => 1 })
  const [gone = '', other = ''] = scene.games
  const reading = findUnknownGames({ db: scene.db, existingGames }, scene.games)
  existingGames.drop(gone)
  await reading

  expect([existingGames.get(gone), existingGames.get(other)]).toEqual([undefined, {}])
})
