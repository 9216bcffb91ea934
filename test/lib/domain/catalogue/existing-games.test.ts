import { expect, it } from 'vitest'
import { findUnknownGames } from '#lib/domain/catalogue/existing-games'
import { unknownGame, useRoyalScene } from '../../../support/scenes/royal-scene.ts'

const scene = await useRoyalScene({ gamesCount: 500 })

it('the ids without a game are listed in their order', async () => {
  const [x, y] = [unknownGame(), unknownGame()]

  expect(await findUnknownGames(scene, [y, ...scene.games.slice(0, 498), x])).toEqual([y, x])
  expect(await findUnknownGames(scene, scene.games)).toEqual([])
  expect(await findUnknownGames(scene, [])).toEqual([])
})
