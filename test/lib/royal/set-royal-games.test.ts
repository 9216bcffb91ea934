import { ObjectId } from 'mongodb'
import { afterAll, expect, it } from 'vitest'
import { setRoyalGames } from '../../../lib/royal/set-royal-games.ts'
import { LONG_AGO, openRoyalScene, unknownGame, withoutRev } from '../../support/scenes/royal-scene.ts'

let a: string, b: string, c: string, d: string
const scene = await openRoyalScene({ gamesCount: 500 })
;[a = '', b = '', c = '', d = ''] = scene.games
afterAll(() => scene.close())

const set = (userId: string, gameIds: string[]) => withoutRev(setRoyalGames(scene, { userId, gameIds }))

it('replaces the whole list', async () => {
  const userId = await scene.addUser([a, b])

  expect(await set(userId, [d, b, c])).toEqual({ royalGames: [d, b, c], rejected: [], isChanged: true })
  expect((await scene.stored(userId)).royalGames).toEqual([d, b, c])
})

it('keeps a repeated id at its first position', async () => {
  const userId = await scene.addUser()

  expect(await set(userId, [c, a, c, b, a])).toMatchObject({ royalGames: [c, a, b], rejected: [] })
})

it('drops unknown games, each rejected once', async () => {
  const userId = await scene.addUser([d])
  const [x, y] = [unknownGame(), unknownGame()]

  expect(await set(userId, [x, a, y, x, b])).toEqual({ royalGames: [a, b], rejected: [x, y], isChanged: true })
})

it('keeps a game that left the catalogue where the list holds it already', async () => {
  const [gone, never] = [unknownGame(), unknownGame()]
  const userId = await scene.addUser([a, gone, b])

  expect(await set(userId, [b, gone, never, a])).toMatchObject({ royalGames: [b, gone, a], rejected: [never] })
  expect(await set(userId, [a])).toMatchObject({ royalGames: [a], rejected: [] })
  expect(await set(userId, [a, gone])).toMatchObject({ royalGames: [a], rejected: [gone] })
})

it('an empty list clears it', async () => {
  const userId = await scene.addUser([a, b])

  expect(await set(userId, [])).toEqual({ royalGames: [], rejected: [], isChanged: true })
})

it('takes 500', async () => {
  const userId = await scene.addUser([a])

  expect((await set(userId, scene.games.toReversed())).royalGames).toEqual(scene.games.toReversed())
})

it('the same list again is no change; another order is one', async () => {
  const userId = await scene.addUser([a, b])
  expect(await set(userId, [a, b])).toMatchObject({ isChanged: false })
  expect((await scene.stored(userId)).updatedAt).toEqual(LONG_AGO)

  expect(await set(userId, [b, a])).toMatchObject({ isChanged: true })
  expect((await scene.stored(userId)).updatedAt.getTime()).toBeGreaterThan(LONG_AGO.getTime())
})

it('clearing an account without the field is no change', async () => {
  expect(await set(await scene.addUser(), [])).toEqual({ royalGames: [], rejected: [], isChanged: false })
})

it('NOT_FOUND when the user is gone, and nobody else is touched', async () => {
  const other = await scene.addUser([a])

  await expect(set(new ObjectId().toHexString(), [b])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await scene.stored(other)).royalGames).toEqual([a])
})
