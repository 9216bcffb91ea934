import { afterAll, expect, test } from 'vitest'
import { createdGameId } from '#lib/domain/conflicts/writer/find-decisions'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { insertPlatform } from '../../../../support/rows/rows.ts'
import { useWriterScene } from '../../../../support/scenes/writer-scene.ts'

const scene = await useWriterScene({ isVndbAlone: true })
const mega = await insertPlatform(scene.service.db, { raConsoleId: 1 })
afterAll(() => {
  expect([scene.igdb, scene.hltb, scene.ra, scene.imageHost].flatMap(({ requests }) => requests)).toEqual([])
})

const { apply, insertGame: insert } = scene

test('while a source is switched off: a match of IGDB writes the link alone', async () => {
  const winner = await insert({ name: 'Mine' })
  const externalData = { name: 'Theirs', description: 'Theirs', url: 'https://www.igdb.com/games/theirs' }
  const record = await apply({ source: 'igdb', externalId: '801', winner, externalData })

  expect(record).toMatchObject({ status: 'resolved', winner, failure: null, externalData })
  const game = await scene.game(winner)
  expect(game).toMatchObject({ name: 'Mine', igdb: { gameId: 801, url: externalData.url } })
  expect(game).not.toHaveProperty('summary')
})

test('while a source is switched off: a match of an entry that was parsed before keeps its parsed fields', async () => {
  const winner = await insert({ igdb: { gameId: 802, rating: 71 } })
  await apply({ source: 'igdb', externalId: '802', winner })

  expect((await scene.game(winner)).igdb).toEqual({ gameId: 802, rating: 71 })
})

test('while a source is switched off: a match of HLTB writes the stored fields of the chosen entry', async () => {
  const gameId = await insert()
  const record = await apply({
    source: 'hltb',
    externalId: gameId.toHexString(),
    winnerEntryId: '803',
    entries: [
      { id: '9', name: 'Another', releaseYear: 1980 },
      { id: '803', name: 'Mine', releaseYear: 1991, platforms: ['SNES'], cover: 'https://hltb.example/803.jpg' },
    ],
  })

  expect(record).toMatchObject({ status: 'resolved', winnerEntryId: '803' })
  expect((await scene.game(gameId)).hltb).toEqual({
    hltbId: '803',
    releaseYear: 1991,
    platforms: ['SNES'],
    imageUrl: 'https://hltb.example/803.jpg',
    updatedAt: expect.any(Date),
  })
})

test.each([
  { externalId: '804', externalData: { name: 'Mine', platformIds: [mega] }, consoleId: 1 },
  { externalId: '805', externalName: '', consoleId: 0 },
])(
  'while a source is switched off: a match of RetroAchievements has the console $consoleId',
  async ({ consoleId, ...facts }) => {
    const winner = await insert()
    await apply({ source: 'ra', winner, ...facts })

    expect((await scene.game(winner)).retroachievements).toEqual([{ gameId: Number(facts.externalId), consoleId }])
  },
)

test('while a source is switched off: a skip of IGDB creates a game from the stored fields', async () => {
  const record = await apply({
    source: 'igdb',
    externalId: '806',
    decision: 'skip',
    externalData: {
      name: 'Lantern Off',
      originalName: '灯台',
      alternativeNames: ['Lamp Off', '灯台'],
      released: '1991-06',
      description: 'A tale',
      developers: ['North Pier'],
      platformIds: [mega],
      cover: scene.imageHost.link('png/1'),
    },
  })

  expect(record).toMatchObject({ status: 'absent', failure: null, winner: createdGameId(record) })
  const game = await scene.game(record.winner)
  expect(game).toMatchObject({
    name: 'Lantern Off',
    slug: 'lantern-off',
    summary: 'A tale',
    alternative_names: ['灯台', 'Lamp Off'],
    platformIds: [mega],
    first_release: Date.UTC(1991, 5, 1) / 1000,
    igdb: { gameId: 806 },
    companies: [{ name: 'North Pier', developer: true }],
  })
  expect(game).not.toHaveProperty('cover')
})

test.each([
  { source: 'igdb', externalId: 'v1', sentence: 'IGDB v1 could not be read: there is no such entry' },
  { source: 'igdb', externalId: '0', sentence: 'IGDB 0 could not be read: there is no such entry' },
  { source: 'ra', externalId: '1.5', sentence: 'RetroAchievements 1.5 could not be read: there is no such entry' },
  { source: 'hltb', winnerEntryId: null, sentence: 'HLTB could not be read: there is no such entry' },
  {
    source: 'igdb',
    decision: 'skip',
    externalName: '',
    sentence: 'IGDB 808 could not be read: its name is not known',
  },
] as const)(
  'while a source is switched off a decision without a link comes back: $sentence',
  async ({ sentence, ...facts }) => {
    const winner = await insert()
    const externalId = facts.source === 'hltb' ? winner.toHexString() : '808'
    const record = await apply({ externalId, winner, ...facts })

    expect(record).toMatchObject({ status: 'pending', decision: null, failure: { message: sentence } })
  },
)

test('while a source is switched off a malformed record is read as far as possible', async () => {
  const odd = {
    name: 5,
    originalName: [],
    alternativeNames: 'none',
    developers: [null, 'North Pier'],
    platformIds: 'x',
    released: 1991,
    description: {},
    url: 7,
  }
  // The records under test are outside the type.
  const externalData = odd as unknown as NonNullable<ConflictDocument['externalData']>
  const records = await Promise.all([
    scene.queue({ source: 'igdb', externalId: '809', decision: 'skip', externalName: 'Lantern Odd', externalData }),
    scene.queue({ source: 'igdb', externalId: '810', decision: 'skip', externalName: 'Lantern Even' }),
  ])
  const [first, second] = await Promise.all(records.map(scene.settled))

  const game = await scene.game(first?.winner)
  expect(game).toMatchObject({ name: 'Lantern Odd', companies: [{ name: 'North Pier' }], igdb: { gameId: 809 } })
  for (const field of ['alternative_names', 'platformIds', 'first_release', 'summary']) {
    expect(game).not.toHaveProperty(field)
  }
  expect(await scene.game(second?.winner)).toMatchObject({ name: 'Lantern Even' })
})
