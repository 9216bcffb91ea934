import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { GameDocument } from '../../../lib/db/collections/games.ts'
import { linkEntry } from '../../../lib/games/link-entry.ts'
import { searchGames } from '../../../lib/games/search-games.ts'
import { unlinkEntry } from '../../../lib/games/unlink-entry.ts'
import { hltbEntry, igdbEntry, raEntry, vndbEntry } from '../../support/rows/entries.ts'
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

/** A game that must stay as it is, whatever is written to another. */
async function insertBystander(facts: Partial<GameDocument> = {}) {
  const _id = await insertGame(scene.db, { slug: 'bystander', name: 'Bystander', ...facts })
  const before = await stored(_id)
  return async () => expect(await stored(_id)).toEqual(before)
}

/** The game as a caller has read it; for an unknown id a game that was deleted since. */
async function load(_id: ObjectId): Promise<GameDocument> {
  const at = new Date()
  return (await stored(_id)) ?? { _id, name: 'Gone', slug: 'gone', createdAt: at, updatedAt: at }
}

const link = async (
  gameId: ObjectId,
  resolved: Parameters<typeof linkEntry>[1]['resolved'],
  options: Partial<Parameters<typeof linkEntry>[1]> = {},
) => linkEntry(scene, { game: await load(gameId), resolved, writes: 'all', ...options })

const unlink = async (
  gameId: ObjectId,
  { source, id, fencingToken }: Omit<Parameters<typeof unlinkEntry>[1], 'game'>,
) => unlinkEntry(scene, { game: await load(gameId), source, id, fencingToken })

describe('linkEntry', () => {
  it('writes what the source has, so that the game is found by its new names', async () => {
    const expectBystander = await insertBystander({ igdb: { gameId: 6 } })
    const gameId = await insertGame(scene.db, { name: 'Old', slug: 'old' })
    const fields = { name: 'Château Noir', alternative_names: ['$Burg'], summary: '$name' }
    const linked = await link(gameId, igdbEntry(5, { fields }))

    expect(linked).toEqual({ outcome: 'written', game: await stored(gameId) })
    expect(await stored(gameId)).toMatchObject({
      ...fields,
      slug: 'old',
      igdb: { gameId: 5 },
      nameKey: 'chateau noir',
      searchRank: 42_000 - 'chateau noir'.length,
    })
    expect((await searchGames(scene, { searchString: 'burg', take: 5 })).total).toBe(1)
    await expectBystander()
  })

  it('writes the link alone where it is told to', async () => {
    const gameId = await insertGame(scene.db, { name: 'Old', isStopParsing: true })
    await link(gameId, igdbEntry(5, { fields: { summary: 'New' } }), { writes: 'link' })

    expect(await stored(gameId)).toMatchObject({ name: 'Old', isStopParsing: true, igdb: { gameId: 5 } })
    expect(await stored(gameId)).not.toHaveProperty('summary')
  })

  it('writes the same entry again', async () => {
    const gameId = await insertGame(scene.db)
    for (const summary of ['First', 'Second']) {
      expect(await link(gameId, igdbEntry(5, { fields: { summary } }))).toMatchObject({ outcome: 'written' })
    }

    expect(await stored(gameId)).toMatchObject({ summary: 'Second' })
  })

  it.each([
    ['igdb', { igdb: { gameId: 6 } }, igdbEntry(5), '6'],
    ['vndb', { vndb: { vnId: 'v2' } }, vndbEntry('v1'), 'v2'],
    ['hltb', { hltb: { hltbId: '43' } }, hltbEntry('42'), '43'],
  ])('refuses a game that has another entry of %s', async (_, facts, resolved, id) => {
    const gameId = await insertGame(scene.db, { name: 'Mine', ...facts })
    const before = await stored(gameId)

    expect(await link(gameId, resolved, { fencingToken: 3 })).toEqual({ outcome: 'linked-elsewhere', name: 'Mine', id })
    expect(await stored(gameId)).toEqual(before)
  })

  it('lets a game have several entries of RetroAchievements', async () => {
    const gameId = await insertGame(scene.db)
    await Promise.all([8, 9, 10].map((id) => link(gameId, raEntry(id))))

    const ids = (await stored(gameId))?.retroachievements?.map((each) => each.gameId)
    expect(ids?.toSorted((a, b) => a - b)).toEqual([8, 9, 10])
  })

  it.each([
    ['igdb', { igdb: { gameId: 5 } }, igdbEntry(5)],
    ['vndb', { vndb: { vnId: 'v1' } }, vndbEntry('v1')],
  ])('refuses an entry of %s that another game has, and names it', async (_, facts, resolved) => {
    const expectBystander = await insertBystander(facts)
    const gameId = await insertGame(scene.db)
    const before = await stored(gameId)

    expect(await link(gameId, resolved)).toMatchObject({ outcome: 'owned', owner: { name: 'Bystander' } })
    expect(await stored(gameId)).toEqual(before)
    await expectBystander()
  })

  it('lets one of two games have an entry that both are given at once', async () => {
    const games = [await insertGame(scene.db, { name: 'A' }), await insertGame(scene.db, { name: 'B' })]
    const fields = { name: 'Same' }
    const outcomes = await Promise.all(games.map((gameId) => link(gameId, igdbEntry(5, { fields }))))

    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['owned', 'written'])
    expect(outcomes).toContainEqual({ outcome: 'owned', owner: expect.objectContaining({ name: 'Same' }) })
    expect(await scene.db.games.countDocuments({ 'igdb.gameId': 5 })).toBe(1)
  })

  it('tells that the game is gone', async () => {
    expect(await link(new ObjectId(), igdbEntry(5), { fencingToken: 1 })).toEqual({ outcome: 'gone' })
  })

  it('lets entries of all sources that are written at once all arrive', async () => {
    const gameId = await insertGame(scene.db)
    const entries = [igdbEntry(5), vndbEntry('v1'), hltbEntry('42'), raEntry(8)]
    await Promise.all(entries.map((resolved, index) => link(gameId, resolved, { fencingToken: index })))

    expect(await stored(gameId)).toMatchObject({
      igdb: { gameId: 5 },
      vndb: { vnId: 'v1' },
      hltb: { hltbId: '42' },
      retroachievements: [{ gameId: 8 }],
      fencingTokens: { igdb: 0, vndb: 1, hltb: 2, ra: 3 },
      searchRank: 49_000 - 'lantern keep'.length,
    })
  })

  it('reads a game again that has changed since it was loaded', async () => {
    const gameId = await insertGame(scene.db)
    const game = await load(gameId)
    await link(gameId, vndbEntry('v1'))

    expect(await link(gameId, igdbEntry(5), { game })).toMatchObject({ outcome: 'written' })
    expect(await stored(gameId)).toMatchObject({ igdb: { gameId: 5 }, vndb: { vnId: 'v1' } })
    expect(await link(gameId, vndbEntry('v2'), { game })).toMatchObject({ outcome: 'linked-elsewhere', id: 'v1' })
    await unlink(gameId, { source: 'vndb', id: 'v1' })
    const linkedBefore = { ...game, vndb: { vnId: 'v1' } }
    expect(await link(gameId, vndbEntry('v2'), { game: linkedBefore })).toMatchObject({ outcome: 'written' })
  })
})

describe('a fencing token', () => {
  it('lets a later holder write after an earlier one, and the same one again', async () => {
    const gameId = await insertGame(scene.db)
    for (const fencingToken of [1, 1, 2]) {
      const fields = { summary: `by ${fencingToken}` }
      expect(await link(gameId, igdbEntry(5, { fields }), { fencingToken })).toMatchObject({ outcome: 'written' })
    }

    expect(await stored(gameId)).toMatchObject({ summary: 'by 2', fencingTokens: { igdb: 2 } })
  })

  it('lets an earlier holder write nothing, but of another source', async () => {
    const gameId = await insertGame(scene.db, { fencingTokens: { igdb: 7 } })
    const before = await stored(gameId)

    expect(await link(gameId, igdbEntry(5), { fencingToken: 6 })).toEqual({ outcome: 'superseded' })
    expect(await unlink(gameId, { source: 'igdb', id: '5', fencingToken: 6 })).toBeNull()
    expect(await stored(gameId)).toEqual(before)
    expect(await link(gameId, vndbEntry('v1'), { fencingToken: 6 })).toMatchObject({ outcome: 'written' })
    expect((await stored(gameId))?.fencingTokens).toEqual({ igdb: 7, vndb: 6 })
  })

  it('of two holders that write at once, the later one wins', async () => {
    for (let round = 0; round < 10; round += 1) {
      const gameId = await insertGame(scene.db)
      await Promise.all(
        [2, 1].map((fencingToken) =>
          link(gameId, hltbEntry('42', { fields: {} }), { fencingToken }).then(() => fencingToken),
        ),
      )
      expect((await stored(gameId))?.fencingTokens).toEqual({ hltb: 2 })
    }
  })

  it('without one, what stands there stays', async () => {
    const gameId = await insertGame(scene.db, { fencingTokens: { igdb: 7 } })
    await link(gameId, igdbEntry(5))

    expect(await stored(gameId)).toMatchObject({ igdb: { gameId: 5 }, fencingTokens: { igdb: 7 } })
  })

  it('of the last release, under its old name, keeps an earlier holder out and lets a later one write', async () => {
    const gameId = await insertGame(scene.db, { fences: { igdb: 7 } })

    expect(await link(gameId, igdbEntry(5), { fencingToken: 6 })).toEqual({ outcome: 'superseded' })
    expect(await link(gameId, igdbEntry(5), { fencingToken: 8 })).toMatchObject({ outcome: 'written' })
    expect((await stored(gameId))?.fencingTokens).toEqual({ igdb: 8 })
  })

  it('is put on a game of an older release that has null for it', async () => {
    const _id = new ObjectId()
    await scene.db.games.db
      .collection('games')
      .insertOne({ _id, name: 'Old', slug: 'odd', fencingTokens: null, igdb: null })

    expect(await link(_id, igdbEntry(5), { fencingToken: 1 })).toMatchObject({ outcome: 'written' })
    expect((await stored(_id))?.fencingTokens).toEqual({ igdb: 1 })
  })
})

describe('unlinkEntry', () => {
  it('takes the link and the votes that came with it, and nothing else', async () => {
    const expectBystander = await insertBystander({ igdb: { gameId: 6 } })
    const gameId = await insertGame(scene.db)
    await link(gameId, igdbEntry(5, { fields: { summary: 'New' } }))
    const game = await unlink(gameId, { source: 'igdb', id: '5', fencingToken: 2 })

    expect(game).toEqual(await stored(gameId))
    expect(game).toMatchObject({ summary: 'New', searchRank: -'lantern keep'.length, fencingTokens: { igdb: 2 } })
    expect(game).not.toHaveProperty('igdb')
    await expectBystander()
  })

  it.each([
    ['igdb', { igdb: { gameId: 6 } }],
    ['vndb', { vndb: { vnId: 'v6' } }],
    ['hltb', { hltb: { hltbId: '6' } }],
    ['ra', { retroachievements: [{ gameId: 6, consoleId: 1 }] }],
  ] as const)('leaves a game of another entry of %s as it is', async (source, facts) => {
    // The fields of the table are those of a game, only not to be changed.
    const gameId = await insertGame(scene.db, facts as Partial<GameDocument>)
    const before = await stored(gameId)

    expect(await unlink(gameId, { source, id: '5' })).toEqual(before)
    expect(await stored(gameId)).toEqual(before)
    expect(await unlink(gameId, { source, id: '5', fencingToken: 3 })).toMatchObject({
      ...facts,
      fencingTokens: { [source]: 3 },
    })
  })

  it('takes one entry of RetroAchievements from the list, and the list with the last', async () => {
    const list = [6, 7].map((id) => ({ gameId: id, consoleId: 1 }))
    const gameId = await insertGame(scene.db, { retroachievements: list })

    expect((await unlink(gameId, { source: 'ra', id: '6' }))?.retroachievements).toEqual([list[1]])
    expect(await unlink(gameId, { source: 'ra', id: '7' })).not.toHaveProperty('retroachievements')
  })

  it('tells that the game is gone', async () => {
    expect(await unlink(new ObjectId(), { source: 'igdb', id: '5' })).toBeNull()
  })

  it('frees the entry for another game', async () => {
    const [from, to] = [await insertGame(scene.db, { igdb: { gameId: 5 } }), await insertGame(scene.db)]
    await unlink(from, { source: 'igdb', id: '5' })
    await link(to, igdbEntry(5))

    expect(await stored(from)).not.toHaveProperty('igdb')
    expect(await stored(to)).toMatchObject({ igdb: { gameId: 5 } })
  })
})
