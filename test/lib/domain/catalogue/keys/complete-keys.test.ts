import { ObjectId } from 'mongodb'
import { beforeEach, expect, test } from 'vitest'
import { completeKeys } from '#lib/domain/catalogue/keys/make-keys'
import { profile } from '../../../../support/clients/profile.ts'
import { insertGame, newGame } from '../../../../support/rows/rows.ts'
import { useService } from '../../../../support/service/start-service.ts'

const service = await useService()
beforeEach(async () => {
  await service.db.games.deleteMany({})
  await service.db.characters.deleteMany({})
})

test('games and characters of another program get keys, and keep all else', async () => {
  const updatedAt = new Date('2020-01-01')
  const _id = await insertGame(service.db, {
    name: 'Ōkami',
    slug: 'okami',
    alternative_names: ['Great God'],
    companies: [{ name: 'Clover Studio, Inc.', developer: true }, { name: 'Capcom' }],
    igdb: { gameId: 1, total_rating_count: 2, hypes: 3, rating: 90 },
    updatedAt,
  })
  const before = await service.db.games.findOne({ _id })
  const character = { _id: new ObjectId(), name: 'Zoë', slug: 'zoe', akas: ['Zo'], createdAt: updatedAt, updatedAt }
  await service.db.characters.insertOne({ ...character })

  expect(await completeKeys(service.db)).toEqual({ games: 1, characters: 1 })
  expect(await service.db.games.findOne({ _id })).toEqual({
    ...before,
    nameKey: 'okami',
    alternativeKeys: ['great god'],
    searchWords: ['okami', 'great', 'god'],
    searchRank: 5_000 - 'okami'.length,
    matchKeys: ['=okami', '=dggrt', '~gg', '+grt god'],
    companies: [
      { name: 'Clover Studio, Inc.', developer: true, key: 'clover studio inc' },
      { name: 'Capcom', key: 'capcom' },
    ],
  })
  expect(await service.db.characters.findOne({ slug: 'zoe' })).toEqual({
    ...character,
    nameKey: 'zoe',
    alternativeKeys: ['zo'],
    searchWords: ['zoe', 'zo'],
    searchRank: -3,
    lowerCaseNames: ['zoë', 'zo'],
  })
})

test('a document that the database refuses is left out', async () => {
  const database = service.db.games.db
  await insertGame(service.db, { name: 'Doom', status: 'odd' })
  await insertGame(service.db, { name: 'Quake' })
  await database.command({ collMod: 'games', validator: { status: { $ne: 'odd' } }, validationLevel: 'strict' })
  try {
    expect(await completeKeys(service.db)).toEqual({ games: 1, characters: 0 })
  } finally {
    await database.command({ collMod: 'games', validator: {} })
  }
  expect(await service.db.games.findOne({ name: 'Quake' })).toMatchObject({ nameKey: 'quake' })
})

test('several batches are completed, and a later call reads no document', async () => {
  await service.db.games.insertMany(Array.from({ length: 1_201 }, (_, index) => newGame({ name: `Game ${index}` })))
  expect((await completeKeys(service.db)).games).toBe(1_201)

  const commands = await profile(service.db, 'games', () => completeKeys(service.db))
  expect(commands).toHaveLength(1)
  expect(commands[0]?.planSummary).toMatch(/^IXSCAN/)
  expect(commands[0]?.keysExamined).toBeLessThanOrEqual(5)
  expect(commands[0]?.docsExamined).toBe(0)
})
