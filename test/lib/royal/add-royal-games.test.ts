import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import { addRoyalGames } from '../../../lib/royal/add-royal-games.ts'
import { insertGames, LONG_AGO, openRoyalScene, unknownGame, withoutRev } from '../../support/scenes/royal-scene.ts'

let a: string, b: string, c: string, d: string, e: string
const scene = await openRoyalScene({ gamesCount: 520 })
;[a = '', b = '', c = '', d = '', e = ''] = scene.games
afterAll(() => scene.close())

const add = (userId: string, gameIds: string[], position: 'start' | 'end' = 'end') =>
  withoutRev(addRoyalGames(scene, { userId, gameIds, position }))

describe('order', () => {
  it('after the list, in the given order', async () => {
    const userId = await scene.addUser([a, b])

    expect(await add(userId, [e, c, d])).toEqual({ royalGames: [a, b, e, c, d], rejected: [], isChanged: true })
    expect((await scene.stored(userId)).royalGames).toEqual([a, b, e, c, d])
  })

  it('before the list, in the given order', async () => {
    const userId = await scene.addUser([a, b])

    expect(await add(userId, [e, c, d], 'start')).toMatchObject({ royalGames: [e, c, d, a, b], rejected: [] })
  })

  it('leaves listed games where they are', async () => {
    const userId = await scene.addUser([a, b, c])

    expect(await add(userId, [c, d, a], 'start')).toMatchObject({ royalGames: [d, a, b, c], rejected: [] })
    expect(await add(userId, [a, e, b])).toMatchObject({ royalGames: [d, a, b, c, e], rejected: [] })
  })

  it('takes a repeated id once, at its first place', async () => {
    const userId = await scene.addUser([])

    expect(await add(userId, [c, a, c, b, a])).toMatchObject({ royalGames: [c, a, b], rejected: [] })
  })
})

describe('rejected', () => {
  it('holds unknown games, each once, in the given order', async () => {
    const userId = await scene.addUser([a])
    const [x, y] = [unknownGame(), unknownGame()]

    expect(await add(userId, [y, b, x, y, a])).toEqual({ royalGames: [a, b], rejected: [y, x], isChanged: true })
  })

  it('does not hold a listed game that left the catalogue, which stays', async () => {
    const gone = unknownGame()
    const userId = await scene.addUser([a, gone])

    expect(await add(userId, [gone, b])).toEqual({ royalGames: [a, gone, b], rejected: [], isChanged: true })
  })
})

describe('the limit', () => {
  it('only as many as fit under 500, the first ones', async () => {
    const userId = await scene.addUser(scene.games.slice(0, 498))
    const [x, y, z] = scene.games.slice(500, 503)
    const answer = await add(userId, [a, x ?? '', unknownGame(), y ?? '', z ?? ''])

    expect(answer.royalGames).toEqual([...scene.games.slice(0, 498), x, y])
    expect(answer.rejected).toHaveLength(2)
    expect(answer.rejected[1]).toBe(z)
  })

  it('the first ones at the start, too', async () => {
    const userId = await scene.addUser(scene.games.slice(0, 499))
    const answer = await add(userId, scene.games.slice(505, 508), 'start')

    expect(answer.royalGames).toEqual([scene.games[505], ...scene.games.slice(0, 499)])
    expect(answer.rejected).toEqual(scene.games.slice(506, 508))
  })

  it('a full list takes nothing, and that is no change', async () => {
    const full = scene.games.slice(0, 500)
    const userId = await scene.addUser(full)

    expect(await add(userId, [a, scene.games[510] ?? ''])).toEqual({
      royalGames: full,
      rejected: [scene.games[510]],
      isChanged: false,
    })
    expect((await scene.stored(userId)).updatedAt).toEqual(LONG_AGO)
  })

  it('500 at once fit into an empty list', async () => {
    const userId = await scene.addUser([])

    expect((await add(userId, scene.games.slice(0, 500))).royalGames).toEqual(scene.games.slice(0, 500))
  })
})

describe('the account', () => {
  it('without the field counts as one with an empty list', async () => {
    const userId = await scene.addUser()

    expect(await add(userId, [a])).toEqual({ royalGames: [a], rejected: [], isChanged: true })
  })

  it('moves its last change with a change only', async () => {
    const userId = await scene.addUser([a])
    expect(await add(userId, [a])).toMatchObject({ isChanged: false })
    expect((await scene.stored(userId)).updatedAt).toEqual(LONG_AGO)

    await add(userId, [b])
    const { updatedAt, keys } = await scene.stored(userId)
    expect(Math.abs(updatedAt.getTime() - Date.now())).toBeLessThan(60_000)
    expect(keys).not.toContain('royalNext')
  })

  it('leaves those of others alone', async () => {
    const [mine, other] = [await scene.addUser([a]), await scene.addUser([b])]
    await add(mine, [c])

    expect(await scene.stored(other)).toMatchObject({ royalGames: [b], updatedAt: LONG_AGO })
  })

  it('NOT_FOUND when it is gone', async () => {
    await expect(add(new ObjectId().toHexString(), [a])).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('a game that is known to exist', () => {
  it('is not looked up', async () => {
    const [game = ''] = await insertGames(scene.db, 1)
    await add(await scene.addUser([]), [game])
    await scene.db.games.deleteOne({ _id: new ObjectId(game) })

    // Nobody tells this scene's cache of what is deleted.
    expect(await add(await scene.addUser([]), [game])).toMatchObject({ royalGames: [game], rejected: [] })
  })

  it('is looked up again once it was dropped', async () => {
    const [gone = ''] = await insertGames(scene.db, 1)
    await add(await scene.addUser([]), [gone])
    await scene.db.games.deleteOne({ _id: new ObjectId(gone) })
    scene.existingGames.drop(gone)

    const userId = await scene.addUser([a])
    expect(await add(userId, [gone])).toEqual({ royalGames: [a], rejected: [gone], isChanged: false })
  })
})
