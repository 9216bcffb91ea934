import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import { addRoyalGames } from '../../../lib/royal/add-royal-games.ts'
import { moveRoyalGame } from '../../../lib/royal/move-royal-game.ts'
import { insertGames, LONG_AGO, openRoyalScene, unknownGame, withoutRev } from '../../support/scenes/royal-scene.ts'

let a: string, b: string, c: string, d: string
const scene = await openRoyalScene({ gamesCount: 4 })
;[a = '', b = '', c = '', d = ''] = scene.games
afterAll(() => scene.close())

const move = (userId: string, gameId: string, before: string | null) =>
  withoutRev(moveRoyalGame(scene, { userId, gameId, before }))

describe('a listed game', () => {
  it('goes before another, or to the end', async () => {
    const userId = await scene.addUser([a, b, c, d])

    expect(await move(userId, d, a)).toEqual({ royalGames: [d, a, b, c], rejected: [], isChanged: true })
    expect((await move(userId, d, c)).royalGames).toEqual([a, b, d, c])
    expect((await move(userId, c, b)).royalGames).toEqual([a, c, b, d])
    expect((await move(userId, a, null)).royalGames).toEqual([c, b, d, a])
    expect((await move(userId, c, unknownGame())).royalGames).toEqual([b, d, a, c])
    expect((await scene.stored(userId)).royalGames).toEqual([b, d, a, c])
    expect((await scene.stored(userId)).updatedAt.getTime()).toBeGreaterThan(LONG_AGO.getTime())
  })

  it('that is there already is no change', async () => {
    const userId = await scene.addUser([a, b, c])

    for (const [gameId, before] of [
      [a, b],
      [a, a],
      [c, c],
      [c, null],
      [c, unknownGame()],
    ] as const) {
      expect(await move(userId, gameId, before)).toEqual({ royalGames: [a, b, c], rejected: [], isChanged: false })
    }
    const { updatedAt, keys } = await scene.stored(userId)
    expect(updatedAt).toEqual(LONG_AGO)
    expect(keys).not.toContain('royalNext')
  })

  it('moves though it left the catalogue', async () => {
    const gone = unknownGame()
    const userId = await scene.addUser([gone, a])

    expect((await move(userId, gone, null)).royalGames).toEqual([a, gone])
  })

  it('moves in a full list, which stays full', async () => {
    const games = await insertGames(scene.db, 500)
    const userId = await scene.addUser(games)
    const last = games.at(-1) ?? ''

    expect((await move(userId, last, games[0] ?? '')).royalGames).toEqual([last, ...games.slice(0, -1)])
    expect((await move(userId, last, null)).royalGames).toEqual(games)
  })
})

it('a game that is not listed is rejected, and nothing changes', async () => {
  const userId = await scene.addUser([a, b])
  const without = await scene.addUser()

  expect(await move(userId, c, a)).toEqual({ royalGames: [a, b], rejected: [c], isChanged: false })
  expect(await move(without, c, null)).toEqual({ royalGames: [], rejected: [c], isChanged: false })
  expect((await scene.stored(userId)).updatedAt).toEqual(LONG_AGO)
})

it('undoes nothing that is changed at the same moment', async () => {
  const games = await insertGames(scene.db, 60)
  const userId = await scene.addUser(games.slice(0, 30))
  await Promise.all([
    ...games.slice(30).map((id) => addRoyalGames(scene, { userId, gameIds: [id], position: 'end' })),
    ...games.slice(0, 30).map((id, n) => move(userId, id, games[29 - n] ?? null)),
  ])

  expect((await scene.stored(userId)).royalGames?.toSorted()).toEqual(games.toSorted())
})

it('NOT_FOUND when the user is gone', async () => {
  await expect(move(new ObjectId().toHexString(), a, null)).rejects.toMatchObject({ code: 'NOT_FOUND' })
})
