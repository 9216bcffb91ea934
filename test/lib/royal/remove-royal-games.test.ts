import { ObjectId } from 'mongodb'
import { afterAll, expect, it } from 'vitest'
import { removeRoyalGames } from '../../../lib/royal/remove-royal-games.ts'
import { LONG_AGO, openRoyalScene, unknownGame, withoutRev } from '../../support/scenes/royal-scene.ts'

let a: string, b: string, c: string, d: string
const scene = await openRoyalScene({ gamesCount: 4 })
;[a = '', b = '', c = '', d = ''] = scene.games
afterAll(() => scene.close())

const remove = (userId: string, gameIds: string[]) => withoutRev(removeRoyalGames(scene, { userId, gameIds }))

it('takes the games out and keeps the order of the rest', async () => {
  const userId = await scene.addUser([a, b, c, d])

  expect(await remove(userId, [d, b, b])).toEqual({ royalGames: [a, c], rejected: [], isChanged: true })
  expect((await scene.stored(userId)).royalGames).toEqual([a, c])
  expect((await scene.stored(userId)).updatedAt.getTime()).toBeGreaterThan(LONG_AGO.getTime())
})

it('ignores ids that are not listed, which is no change', async () => {
  const userId = await scene.addUser([a, b])

  expect(await remove(userId, [c, unknownGame()])).toEqual({ royalGames: [a, b], rejected: [], isChanged: false })
  expect((await scene.stored(userId)).updatedAt).toEqual(LONG_AGO)
})

it('takes out a listed game that left the catalogue', async () => {
  const gone = unknownGame()
  const userId = await scene.addUser([gone, a])

  expect(await remove(userId, [gone])).toEqual({ royalGames: [a], rejected: [], isChanged: true })
})

it('an account without the field has nothing to take out', async () => {
  const userId = await scene.addUser()

  expect(await remove(userId, [a])).toEqual({ royalGames: [], rejected: [], isChanged: false })
})

it('NOT_FOUND when the user is gone, and nobody else loses a game', async () => {
  const other = await scene.addUser([a])

  await expect(remove(new ObjectId().toHexString(), [a])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect((await scene.stored(other)).royalGames).toEqual([a])
})
