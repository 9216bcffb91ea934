import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeGame } from '../../../lib/games/change-game.ts'
import { searchGames } from '../../../lib/games/search-games.ts'
import { KEYS_VERSION } from '../../../lib/names/normalise-name.ts'
import { insertGame } from '../../support/rows/rows.ts'
import { type CatalogueScene, openCatalogueScene } from '../../support/scenes/catalogue-scene.ts'

let scene: CatalogueScene
beforeAll(async () => {
  scene = await openCatalogueScene()
})
beforeEach(async () => {
  await scene.db.games.deleteMany({})
})
afterAll(() => scene.close())

const stored = (_id: ObjectId) => scene.db.games.findOne({ _id })

/** The same database, where something happens after each of the first reads of a game. */
function disturb({ db }: CatalogueScene, happen: (time: number) => Promise<unknown>, times = 1_000) {
  let count = 0
  const findOne = async (...given: Parameters<typeof db.games.findOne>) => {
    const game = await db.games.findOne(...given)
    count += 1
    if (count <= times) await happen(count)
    return game
  }
  const games = new Proxy(db.games, {
    get: (target, name) => {
      if (name === 'findOne') return findOne
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  return { db: { ...db, games } }
}

describe('changeGame', () => {
  it('writes and removes fields, answers the stored game, and touches no other', async () => {
    const other = await insertGame(scene.db, { slug: 'other' })
    const untouched = await stored(other)
    const _id = await insertGame(scene.db, { slug: 'keep', summary: 'Old', storyline: 'Old' })
    const game = await changeGame(scene, _id, () => ({ $set: { genres: ['Puzzle'] }, $unset: ['summary'] }))

    expect(game).toEqual(await stored(_id))
    expect(game).toMatchObject({ name: 'Lantern Keep', slug: 'keep', genres: ['Puzzle'], storyline: 'Old' })
    expect(game).not.toHaveProperty('summary')
    expect(await stored(other)).toEqual(untouched)
  })

  it('makes the derived keys of the result, and never another slug', async () => {
    const _id = await insertGame(scene.db, {
      slug: 'keep',
      companies: [{ name: 'North Pier' }],
      vndb: { vnId: 'v1', votecount: 3 },
    })
    const game = await changeGame(scene, _id, ({ companies = [] }) => ({
      $set: { name: 'Château', alternative_names: ['Burg'], companies: [...companies, { name: 'Ödland' }] },
    }))

    expect(game).toMatchObject({
      slug: 'keep',
      nameKey: 'chateau',
      alternativeKeys: ['burg'],
      searchWords: ['chateau', 'burg'],
      searchRank: 3_000 - 'chateau'.length,
      keysVersion: KEYS_VERSION,
      companies: [
        { name: 'North Pier', key: 'north pier' },
        { name: 'Ödland', key: 'odland' },
      ],
    })
    expect((await searchGames(scene, { searchString: 'burg', take: 5 })).results).toMatchObject([{ name: 'Château' }])
    expect(await changeGame(scene, _id, () => ({ $unset: ['vndb'] }))).toMatchObject({ searchRank: -7 })
  })

  it('takes texts for what they are', async () => {
    const _id = await insertGame(scene.db)
    const $set = {
      name: '$name',
      summary: '$$ROOT',
      genres: ['$slug'],
      companies: [{ name: '$$NOW', key: 'now' }],
      igdb: { gameId: 4, url: '$url', $odd: { $literal: '$x' } },
    }

    expect(await changeGame(scene, _id, () => ({ $set }))).toMatchObject($set)
    expect(await changeGame(scene, _id, () => ({ $set: { igdb: { gameId: 4 } } }))).toMatchObject({
      igdb: { gameId: 4 },
    })
    expect((await stored(_id))?.igdb).toEqual({ gameId: 4 })
  })

  it('makes every change later than the one before, also of a game that was changed in the future', async () => {
    const updatedAt = new Date(Date.now() + 3_600_000)
    const _id = await insertGame(scene.db, { updatedAt })
    const times: number[] = [updatedAt.getTime()]
    for (let round = 0; round < 5; round += 1) {
      const game = await changeGame(scene, _id, () => ({ $set: { summary: `${round}` } }))
      times.push(game?.updatedAt.getTime() ?? 0)
    }

    expect(times).toEqual(Array.from({ length: 6 }, (_, index) => updatedAt.getTime() + index))
  })

  it('lets 20 changes of one list that are made at once all arrive', async () => {
    const _id = await insertGame(scene.db)
    const add = (keyword: string) =>
      changeGame(scene, _id, ({ keywords = [] }) => ({ $set: { keywords: [...keywords, keyword] } }))
    const keywords = Array.from({ length: 20 }, (_, index) => `k${index}`)
    const games = await Promise.all(keywords.map(add))

    expect((await stored(_id))?.keywords?.toSorted()).toEqual(keywords.toSorted())
    expect(new Set(games.map((game) => game?.updatedAt.getTime())).size).toBe(20)
  })

  it('lets changes of different lists that are made at once both arrive, with keys of both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const _id = await insertGame(scene.db)
      await Promise.all([
        changeGame(scene, _id, () => ({ $set: { alternative_names: ['Burg'] } })),
        changeGame(scene, _id, () => ({ $set: { igdb: { gameId: round + 1, hypes: 9 } } })),
      ])

      expect(await stored(_id)).toMatchObject({
        alternative_names: ['Burg'],
        alternativeKeys: ['burg'],
        igdb: { hypes: 9 },
        searchRank: 9_000 - 'lantern keep'.length,
      })
    }
  })

  it('writes nothing where the change is null', async () => {
    const _id = await insertGame(scene.db)
    const before = await stored(_id)

    expect(await changeGame(scene, _id, () => null)).toEqual(before)
    expect(await stored(_id)).toEqual(before)
  })

  it('answers null for a game that is gone, or for which the filter does not hold', async () => {
    const _id = await insertGame(scene.db)
    const before = await stored(_id)
    const change = (id: ObjectId) =>
      changeGame(scene, id, () => ({ $set: { summary: 'New' } }), { filter: { isStopParsing: true } })

    expect(await change(new ObjectId())).toBeNull()
    expect(await change(_id)).toBeNull()
    expect(await stored(_id)).toEqual(before)
  })

  it('computes the change again when another one came between, and holds the filter against the game as it is then', async () => {
    const _id = await insertGame(scene.db)
    const seen: (string | undefined)[] = []
    const between = disturb(scene, (tries) => changeGame(scene, _id, () => ({ $set: { summary: `${tries}` } })), 2)
    const change = (deps: Pick<CatalogueScene, 'db'>) =>
      changeGame(
        deps,
        _id,
        ({ summary }) => {
          seen.push(summary)
          return { $set: { storyline: `after ${summary}` } }
        },
        { filter: { isStopParsing: { $ne: true } } },
      )

    expect(await change(between)).toMatchObject({ summary: '2', storyline: 'after 2' })
    expect(seen).toEqual([undefined, '1', '2'])

    const stopped = disturb(scene, () => changeGame(scene, _id, () => ({ $set: { isStopParsing: true } })), 1)
    expect(await change(stopped)).toBeNull()
    expect(await stored(_id)).toMatchObject({ storyline: 'after 2' })
  })

  it.each([
    ['nulls for lists', { alternative_names: null, companies: null, igdb: null, fencingTokens: null }],
    ['no times', { updatedAt: null }],
    ['a text for a time', { updatedAt: 'yesterday' }],
    ['no name', { name: null }],
  ])('changes a game of an older release with %s', async (_, odd) => {
    const _id = new ObjectId()
    await scene.db.games.db.collection('games').insertOne({ _id, name: 'Old', slug: `old-${_id}`, ...odd })
    const game = await changeGame(scene, _id, () => ({ $set: { genres: ['Puzzle'], fencingTokens: { igdb: 3 } } }))

    expect(game).toMatchObject({ genres: ['Puzzle'], fencingTokens: { igdb: 3 }, keysVersion: KEYS_VERSION })
    expect(game?.updatedAt).toBeInstanceOf(Date)
  })

  it('gives up on a game that something changes without end', async () => {
    const _id = await insertGame(scene.db)
    const restless = disturb(scene, (time) =>
      scene.db.games.updateOne({ _id }, { $set: { updatedAt: new Date(time) } }),
    )

    await expect(changeGame(restless, _id, () => ({ $set: { summary: 'New' } }))).rejects.toThrow(
      /was changed 50 times/,
    )
  })

  it('belongs to the transaction that makes it', async () => {
    const _id = await insertGame(scene.db)
    const change = (isKept: boolean) =>
      scene.db.transaction(async (session) => {
        await changeGame(scene, _id, () => ({ $set: { summary: 'New' } }), { session })
        if (!isKept) throw new Error('ended')
      })

    await expect(change(false)).rejects.toThrow('ended')
    expect(await stored(_id)).not.toHaveProperty('summary')
    await change(true)
    expect(await stored(_id)).toMatchObject({ summary: 'New' })
  })

  it('lets changes that transactions make at once all arrive', async () => {
    const _id = await insertGame(scene.db)
    const keywords = Array.from({ length: 5 }, (_, index) => `k${index}`)
    await Promise.all(
      keywords.map((keyword) =>
        scene.db.transaction((session) =>
          changeGame(scene, _id, (game) => ({ $set: { keywords: [...(game.keywords ?? []), keyword] } }), { session }),
        ),
      ),
    )

    expect((await stored(_id))?.keywords?.toSorted()).toEqual(keywords)
  })
})
