import { ObjectId } from 'mongodb'
import { afterAll, expect, it } from 'vitest'
import { loadRoyalGames } from '../../../lib/royal/load-royal-games.ts'
import { openRoyalScene, unknownGame } from '../../support/scenes/royal-scene.ts'

const scene = await openRoyalScene({ gamesCount: 2 })
afterAll(() => scene.close())

it('reads the list in its order, games that left the catalogue included', async () => {
  const list = [scene.games[1] ?? '', unknownGame(), scene.games[0] ?? '']
  await scene.addUser([scene.games[0] ?? ''])

  expect(await loadRoyalGames(scene, { userId: await scene.addUser(list) })).toEqual({ royalGames: list, rejected: [] })
})

it('an account without the field has an empty list', async () => {
  expect(await loadRoyalGames(scene, { userId: await scene.addUser() })).toEqual({ royalGames: [], rejected: [] })
})

it('NOT_FOUND when the user is gone', async () => {
  await expect(loadRoyalGames(scene, { userId: new ObjectId().toHexString() })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  })
})
