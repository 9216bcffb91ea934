import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../lib/db/connect.ts'
import { createExactCache } from '../../../lib/events/exact-cache.ts'
import { findUnknownGames, readGamesAhead } from '../../../lib/events/existing-games.ts'
import { createLogger } from '../../../lib/observability/log.ts'
import { profile } from '../../support/clients/profile.ts'
import { openRoyalScene, unknownGame } from '../../support/scenes/royal-scene.ts'

const scene = await openRoyalScene({ gamesCount: 500 })
afterAll(() => scene.close())

it('names the ids that are no game, in their order', async () => {
  const [x, y] = [unknownGame(), unknownGame()]

  expect(await findUnknownGames(scene, [y, ...scene.games.slice(0, 498), x])).toEqual([y, x])
  expect(await findUnknownGames(scene, scene.games)).toEqual([])
  expect(await findUnknownGames(scene, [])).toEqual([])
})

describe('readGamesAhead', () => {
  const log = createLogger('silent')
  const openCache = (maxBytes: number) => createExactCache<object>({ isLive: () => true, maxBytes, sizeOf: () => 1 })

  it('knows the games of the catalogue from then on, without asking for them', async () => {
    const existingGames = openCache(1_000_000)
    await readGamesAhead({ db: scene.db, existingGames, log })

    const [known, unknown] = [scene.games[0] ?? '', unknownGame()]
    const commands = await profile(scene.db, 'games', async () => {
      expect(await findUnknownGames({ db: scene.db, existingGames }, scene.games)).toEqual([])
    })
    expect(commands).toEqual([])
    existingGames.drop(known)
    expect([existingGames.get(known), existingGames.get(unknown)]).toEqual([undefined, undefined])
    expect(await findUnknownGames({ db: scene.db, existingGames }, [known, unknown])).toEqual([unknown])
  })

  it('does not keep a game that goes meanwhile', async () => {
    const existingGames = openCache(1_000_000)
    const [gone = '', other = ''] = scene.games
    const reading = readGamesAhead({ db: scene.db, existingGames, log })
    existingGames.drop(gone)
    await reading

    expect(existingGames.get(gone)).toBeUndefined()
    expect(existingGames.get(other)).toBeDefined()
  })

  it('reads the index alone', async () => {
    const existingGames = openCache(1_000_000)
    const commands = await profile(scene.db, 'games', () => readGamesAhead({ db: scene.db, existingGames, log }))
    expect(commands).toMatchObject([{ docsExamined: 0, keysExamined: scene.games.length }])
  })

  it('lets a start go on without the database', async () => {
    const db = openDatabase('mongodb://127.0.0.1:1/nowhere')
    const existingGames = openCache(1_000_000)
    await readGamesAhead({ db, existingGames, log })
    await db.close()

    expect(existingGames.get(scene.games[0] ?? '')).toBeUndefined()
  })
})
