import type { ObjectId } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  copyMugShots,
  deleteUnusedMugShots,
  type PreparedCharacters,
} from '#lib/domain/catalogue/characters/copy-mug-shots'
import { writeSourceCharacters } from '#lib/domain/catalogue/characters/write-source-characters'
import type { ResolvedEntry } from '#lib/domain/catalogue/entries/resolve-entries'
import type { SourceCharacter } from '#lib/infrastructure/sources/entries'
import { igdbEntry } from '../../../../support/rows/entries.ts'
import { insertCharacter, insertGame } from '../../../../support/rows/rows.ts'
import { useCatalogueScene } from '../../../../support/scenes/catalogue-scene.ts'
import { BUSY_MACHINE_MS } from '../../../../support/service/start-service.ts'

const scene = await useCatalogueScene()
let gameId: ObjectId
beforeEach(async () => {
  await scene.reset()
  gameId = await insertGame(scene.db)
})

interface Options {
  fields?: Partial<ResolvedEntry['fields']>
  game?: ObjectId
}

const prepare = (characters: readonly SourceCharacter[], { fields = {}, game = gameId }: Options = {}) =>
  copyMugShots(scene, { gameId: game, resolved: igdbEntry(5, { fields, characters }) })

async function save(characters: readonly SourceCharacter[], options: Options = {}) {
  const { game = gameId } = options
  const prepared = await prepare(characters, options)
  const { created, linked, superseded } = await scene.db.transaction(
    (session) => writeSourceCharacters(scene, { gameId: game, prepared, session }),
    { timeoutMs: BUSY_MACHINE_MS },
  )
  await deleteUnusedMugShots(scene, superseded)
  return { created: created.map(({ _id }) => _id), linked, failedImages: prepared.failedImages }
}

const stored = (name: string) => scene.db.characters.find({ name }).sort({ slug: 1 }).toArray()

const MUG_SHOT = 'https://images.example/mug'

it('new characters are stored with their keys and mug shots', async () => {
  const { created, linked, failedImages } = await save([
    { name: 'Zoë', akas: ['The $Keeper'], gender: 'Female', species: 'Human', mugShot: MUG_SHOT },
    { name: '$where' },
  ])
  const [zoe] = await stored('Zoë')

  expect(created).toHaveLength(2)
  expect(linked).toEqual([])
  expect(failedImages).toEqual([])
  expect(zoe).toMatchObject({
    slug: 'zoe',
    akas: ['The $Keeper'],
    gender: 'Female',
    gameIds: [gameId],
    lowerCaseNames: ['zoë', 'the $keeper'],
    searchWords: ['zoe', 'the', 'keeper'],
  })
  expect(zoe?.mugShot).toMatch(new RegExp(`^characters/${zoe?._id}/[0-9a-f]{24}$`))
  expect((await stored('$where'))[0]).toMatchObject({ gameIds: [gameId] })
})

it('a repetition changes nothing', async () => {
  const characters = [{ name: 'Zoë', mugShot: MUG_SHOT }, { name: 'Rook' }]
  const { created } = await save(characters)
  const before = await scene.db.characters.find().toArray()
  const again = await save(characters)

  expect(again.created).toEqual([])
  expect(again.linked.map(String).toSorted()).toEqual(created.map(String).toSorted())
  expect(await scene.db.characters.find().toArray()).toEqual(before)
  expect(scene.downloads).toEqual([MUG_SHOT])
})

describe('a stored character with the name of a source character', () => {
  const insert = (facts: object) =>
    insertCharacter(scene.db, {
      name: 'Rook',
      lowerCaseNames: ['rook', 'the tower'],
      updatedAt: new Date(0),
      ...facts,
    })
  const gamesOf = async (_id: ObjectId) => (await scene.db.characters.findOne({ _id }))?.gameIds

  it.each([
    ['it has no game', { gameIds: [] }, { name: 'ROOK' }],
    ['it has null for its games', { gameIds: null }, { name: 'ROOK' }],
    ['it has no field of games', {}, { name: 'ROOK' }],
    ['the name is its second one', { gameIds: [] }, { name: 'The Tower' }],
    ['its name is the second one', { gameIds: [] }, { name: 'Brother', akas: ['ROOK'] }],
  ])('gets the game when %s', async (_, facts, character) => {
    const _id = await insert(facts)

    expect(await save([character])).toEqual({ created: [], linked: [_id], failedImages: [] })
    expect(await gamesOf(_id)).toEqual([gameId])
    expect((await scene.db.characters.findOne({ _id }))?.updatedAt.getTime()).toBeGreaterThan(0)
  })

  it('gets the game in any composition of accents', async () => {
    const { created } = await save([{ name: 'Zo\u00eb', akas: ['\u00c9lan'] }])

    expect((await save([{ name: 'ZOE\u0308' }])).linked).toEqual(created)
    expect((await save([{ name: 'Other', akas: ['zoe\u0308'] }])).linked).toEqual(created)
    expect((await save([{ name: 'E\u0301lan' }, { name: '\u00c9lan' }])).linked).toEqual(created)
  })

  it.each([
    ['a game of the same franchise', () => ({ franchises: ['Lantern'] })],
    ['a related game', (other: ObjectId) => ({ relatedGames: { remakes: [other] } })],
  ])('gets the game when it is one of %s', async (_, toFields) => {
    const other = await insertGame(scene.db, { franchises: ['Lantern', 'Tower'] })
    const _id = await insert({ gameIds: [other] })
    await save([{ name: 'Rook' }], { fields: toFields(other) })

    expect(await gamesOf(_id)).toEqual([other, gameId])
  })

  it('of this game is preferred to one of the series, and that to one without games', async () => {
    const other = await insertGame(scene.db)
    const related = { fields: { relatedGames: { sequels: [other] } } }
    const none = await insert({ gameIds: [] })
    const series = await insert({ gameIds: [other] })
    expect((await save([{ name: 'Rook' }], related)).linked).toEqual([series])

    const fresh = await insertGame(scene.db)
    const ofGame = await insert({ gameIds: [fresh] })
    expect((await save([{ name: 'Rook' }], { ...related, game: fresh })).linked).toEqual([ofGame])
    expect(await gamesOf(none)).toEqual([])
  })

  it('does not get the game when it is one of any other game, and the new character gets a numbered slug', async () => {
    const other = await insertGame(scene.db, { franchises: ['Other'] })
    const alike = await insertGame(scene.db)
    const ids = [await insert({ gameIds: [other], slug: 'rook' }), await insert({ gameIds: [alike] })]
    const { created } = await save([{ name: 'Rook' }], {
      fields: { franchises: ['Lantern'], relatedGames: { similar_games: [alike] } },
    })

    expect(created).toHaveLength(1)
    expect(await scene.db.characters.findOne({ _id: created[0] ?? gameId })).toMatchObject({ slug: 'rook-2' })
    expect(await Promise.all(ids.map(gamesOf))).toEqual([[other], [alike]])
  })

  it('does not get the game for a part of the name, or for a second name of both', async () => {
    const _id = await insert({ gameIds: [] })
    await insert({ name: null, lowerCaseNames: ['the tower'] })
    await save([{ name: 'Rook the Younger' }, { name: 'Knight', akas: ['The Tower'] }, { name: 'R..k' }])

    expect(await gamesOf(_id)).toEqual([])
    expect(await scene.db.characters.countDocuments()).toBe(5)
  })

  it('keeps its fields and mug shot', async () => {
    const _id = await insert({ gameIds: [], gender: 'Male' })
    await save([{ name: 'Rook', gender: 'Female', species: 'Human', mugShot: MUG_SHOT }])

    expect(await scene.db.characters.findOne({ _id })).toMatchObject({ gender: 'Male' })
    expect(await scene.db.characters.findOne({ _id })).not.toHaveProperty('species')
    expect(scene.downloads).toEqual([])
  })
})

describe('a character that the source has in other games', () => {
  const MIRA = { name: 'Mira', akas: ['The Keeper'], games: [9001, 9002] }
  const gamesOf = async () => (await stored('Mira')).map(({ gameIds }) => gameIds)
  let first: ObjectId
  let second: ObjectId
  beforeEach(async () => {
    first = await insertGame(scene.db, { igdb: { gameId: 9001 } })
    second = await insertGame(scene.db, { igdb: { gameId: 9002 } })
  })

  it('is created once, and gets the games one after another', async () => {
    const { created } = await save([MIRA], { game: first })

    expect(await save([MIRA], { game: second })).toMatchObject({ created: [], linked: created })
    expect(await gamesOf()).toEqual([[first, second]])
    expect((await stored('Mira'))[0]).not.toHaveProperty('games')
  })

  it('is created once by two transactions at the same time', async () => {
    const games = [first, second]
    const prepared = await Promise.all(games.map((game) => prepare([MIRA], { game })))
    let open = 0
    const write = (characters: PreparedCharacters, game: ObjectId) =>
      scene.db.transaction(async (session) => {
        // The first read is the snapshot of the transaction, which both have before either writes.
        await scene.db.games.findOne({}, { session })
        open += 1
        await expect.poll(() => open).toBeGreaterThanOrEqual(2)
        return writeSourceCharacters(scene, { gameId: game, prepared: characters, session })
      })
    const written = await Promise.all(prepared.map((characters, at) => write(characters, games[at] ?? second)))

    expect(written.flatMap(({ created }) => created)).toHaveLength(1)
    const [mira, ...others] = await gamesOf()
    expect(others).toEqual([])
    expect(mira?.map(String).toSorted()).toEqual(games.map(String).toSorted())
  })

  it('is another character than a namesake of other games', async () => {
    await save([{ ...MIRA, games: [9001] }], { game: first })
    await save([{ ...MIRA, games: [9002, 9003] }], { game: second })
    await save([{ name: 'Mira' }], { game: gameId })

    expect(await gamesOf()).toEqual([[first], [second], [gameId]])
  })
})

it('a character that a killed process created is found again, also after it was renamed', async () => {
  const { created } = await save([{ name: 'Rook' }])
  await scene.db.characters.updateOne(
    { name: 'Rook' },
    { $set: { name: 'Tower', lowerCaseNames: ['tower'], gameIds: [] } },
  )

  expect(await save([{ name: 'Rook' }])).toEqual({ created: [], linked: created, failedImages: [] })
  expect((await stored('Tower'))[0]?.gameIds).toEqual([gameId])
})

it('characters that were created after the preparation get the game', async () => {
  const prepared = await prepare([{ name: 'Rook', mugShot: MUG_SHOT }, { name: 'Zoë' }])
  const [, zoe] = prepared.newcomers
  const other = await insertCharacter(scene.db, { name: 'ROOK', lowerCaseNames: ['rook'] })
  await insertCharacter(scene.db, { _id: zoe?._id ?? gameId, name: 'Renamed', lowerCaseNames: ['renamed'] })
  const written = await scene.db.transaction((session) => writeSourceCharacters(scene, { gameId, prepared, session }))

  expect(written.created).toEqual([])
  expect(written.linked.map(String).sort()).toEqual([other, zoe?._id].map(String).sort())
  await deleteUnusedMugShots(scene, written.superseded)
  expect([...scene.objects]).toEqual([])
  expect(await scene.db.characters.countDocuments({ gameIds: gameId })).toBe(2)
})

it('a character whose mug shot is no image is created without it, and the link is answered', async () => {
  const mugShot = 'https://images.example/broken'

  expect(await save([{ name: 'Rook', mugShot }])).toMatchObject({ failedImages: [mugShot] })
  expect((await stored('Rook'))[0]).not.toHaveProperty('mugShot')
})
