import type { ObjectId } from 'mongodb'
import { beforeEach, describe, expect, it } from 'vitest'
import { copyMugShots, type PreparedCharacters } from '../../../lib/characters/copy-mug-shots.ts'
import { writeSourceCharacters } from '../../../lib/characters/write-source-characters.ts'
import type { SourceCharacter } from '../../../lib/sources/entries.ts'
import { igdbEntry } from '../../support/rows/entries.ts'
import { insertGame } from '../../support/rows/rows.ts'
import { useCatalogueScene } from '../../support/scenes/catalogue-scene.ts'

const scene = await useCatalogueScene()
let gameId: ObjectId
beforeEach(async () => {
  await scene.reset()
  gameId = await insertGame(scene.db)
})

const prepare = (characters: readonly SourceCharacter[], game = gameId) =>
  copyMugShots(scene, { gameId: game, resolved: igdbEntry(5, { characters }) })

describe('writeSourceCharacters in a transaction', () => {
  const ROOK = { name: 'Rook', mugShot: 'https://images.example/rook' }

  it('gives the game to those that were made since they were prepared', async () => {
    const prepared = await prepare([ROOK, { name: 'Zoë' }])
    const [rook, zoe] = prepared.newcomers
    const now = new Date()
    const facts = { gameIds: [], createdAt: now, updatedAt: now }
    const other = await insertGame(scene.db)
    await scene.db.characters.insertMany([
      { ...facts, _id: other, name: 'ROOK', slug: 'rook', lowerCaseNames: ['rook'] },
      { ...facts, _id: zoe?._id ?? gameId, name: 'Renamed', slug: 'renamed', lowerCaseNames: ['renamed'] },
    ])
    const written = await scene.db.transaction((session) => writeSourceCharacters(scene, { gameId, prepared, session }))

    expect(written.created).toEqual([])
    expect(written.linked.map(String).sort()).toEqual([other, zoe?._id].map(String).sort())
    expect(written.superseded).toEqual([rook])
    expect(await scene.db.characters.countDocuments({ gameIds: gameId })).toBe(2)
  })

  describe('of a character that the source knows in two games', () => {
    const MIRA = { name: 'Mira', games: [9001, 9002] }
    let other: ObjectId
    beforeEach(async () => {
      await scene.db.games.updateOne({ _id: gameId }, { $set: { igdb: { gameId: 9001 } } })
      other = await insertGame(scene.db, { igdb: { gameId: 9002 } })
    })

    async function expectOne() {
      const found = await scene.db.characters.find().toArray()
      expect(found).toMatchObject([{ slug: 'mira' }])
      expect(found[0]?.gameIds?.map(String).toSorted()).toEqual([gameId, other].map(String).toSorted())
      expect(found[0]).not.toHaveProperty('games')
    }

    it('makes one where two transactions write at once', async () => {
      const games = [gameId, other]
      const prepared = await Promise.all(games.map((game) => prepare([MIRA], game)))
      let begun = 0
      let begin: () => void = () => {}
      const bothHaveBegun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const write = (each: PreparedCharacters, game: ObjectId) =>
        scene.db.transaction(async (session) => {
          // From here on the transaction sees nothing that comes later.
          await scene.db.games.findOne({}, { session })
          begun += 1
          if (begun === 2) begin()
          await bothHaveBegun
          return writeSourceCharacters(scene, { gameId: game, prepared: each, session })
        })
      const written = await Promise.all(prepared.map((each, index) => write(each, games[index] ?? other)))

      expect(written.flatMap(({ created }) => created)).toHaveLength(1)
      await expectOne()
    })
  })
})
