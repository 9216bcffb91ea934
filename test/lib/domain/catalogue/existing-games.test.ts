import { expect, it } from 'vitest'
import { findUnknownGames } from '#lib/domain/catalogue/existing-games'
import { createExactCache } from '#lib/infrastructure/events/exact-cache'
import { unknownGame, useRoyalScene } from '../../../support/scenes/royal-scene.ts'

const scene = await useRoyalScene({ gamesCount: 500 })

it('names the ids that are no game, in their order', async () => {
  const [x, y] = [unknownGame(), unknownGame()]

  expect(await findUnknownGames(scene, [y, ...scene.games.slice(0, 498), x])).toEqual([y, x])
  expect(await findUnknownGames(scene, scene.games)).toEqual([])
  expect(await findUnknownGames(scene, [])).toEqual([])
})

it('does not keep a game that goes meanwhile', async () => {
  const existingGames = createExactCache<object>({ isLive: () => true, maxBytes: 1_000_000, sizeOf: () => 1 })
  const [gone = '', other = ''] = scene.games
  const reading = findUnknownGames({ db: scene.db, existingGames }, scene.games)
  existingGames.drop(gone)
  await reading

  expect([existingGames.get(gone), existingGames.get(other)]).toEqual([undefined, {}])
})
