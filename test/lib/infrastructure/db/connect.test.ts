import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Database, openDatabase, prepareDatabase } from '#lib/infrastructure/db/connect'
import { profile } from '../../../support/clients/profile.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'
import { startRefusalOf } from '../../../support/tools/errors.ts'

let bare: Awaited<ReturnType<typeof useBareDatabase>>
let db: Database

beforeEach(async () => {
  bare = await useBareDatabase()
  db = openDatabase(bare.uri)
})
afterEach(() => db.close())

/** A collection as another program sees it. */
const stored = (name: string) => bare.db.collection(name)

it('prepareDatabase prints nothing on data of another program, and changes nothing the second time', async () => {
  expect(await bare.prepare()).toEqual([])
  const before = await stored('users').indexes()
  expect(await bare.prepare()).toEqual([])
  expect(await stored('users').indexes()).toEqual(before)
})

it('prepareDatabase on data of another program makes its indexes beside plain ones on the same fields', async () => {
  for (const [name, field] of [
    ['users', 'userName'],
    ['users', 'email'],
    ['refreshTokens', 'tokenHash'],
    ['games', 'igdb.gameId'],
  ] as const) {
    await stored(name).createIndex({ [field]: 1 }, { unique: true })
  }
  await stored('games').createIndex({ slug: 1 })
  await stored('refreshTokens').createIndex({ familyId: 1 })
  expect(await bare.prepare()).toEqual([])

  await stored('games').insertOne({ slug: 'doom' })
  await expect(stored('games').insertOne({ slug: 'doom', igdb: { gameId: 1 } })).rejects.toMatchObject({
    code: 11000,
  })
})

it('prepareDatabase on data of another program allows many null ids of a source, and keeps others unique', async () => {
  await stored('games').insertMany([
    { slug: 'a', igdb: { gameId: null }, vndb: { vnId: null } },
    { slug: 'b', igdb: { gameId: null }, vndb: { vnId: null } },
    { slug: 'c', igdb: { gameId: 3 }, vndb: { vnId: 'v3' } },
  ])
  expect(await bare.prepare()).toEqual([])

  const again = [{ igdb: { gameId: 3 } }, { vndb: { vnId: 'v3' } }]
  for (const facts of again) {
    await expect(stored('games').insertOne({ slug: randomUUID(), ...facts })).rejects.toMatchObject({ code: 11000 })
  }
  const commands = await profile(db, 'games', async () => {
    await db.games.findOne({ 'igdb.gameId': 3 })
    await db.games.findOne({ 'vndb.vnId': 'v3' })
  })
  expect(commands.map(({ planSummary, docsExamined }) => [planSummary, docsExamined])).toEqual([
    ['IXSCAN { igdb.gameId: 1 }', 1],
    ['IXSCAN { vndb.vnId: 1 }', 1],
  ])
})

it('prepareDatabase names in one line the value that an index cannot be made for', async () => {
  await stored('games').insertMany([{ slug: 'doom' }, { slug: 'doom' }])
  expect(await startRefusalOf(bare.prepare())).toBe(
    'The index slug_unique of games cannot be made: several entries have slug "doom"',
  )
})

it('prepareDatabase continues beside an index with other options, and prints how to drop it', async () => {
  await stored('refreshTokens').createIndex({ expiresAt: 1 }, { name: 'theirs', expireAfterSeconds: 60 })
  const lines = await bare.prepare()
  expect(lines).toEqual([
    expect.stringMatching(
      /^The index expiresAt_1 of refreshTokens cannot be made: theirs has its place with other options\..*db\.refreshTokens\.dropIndex\('theirs'\)/,
    ),
  ])
  // The others of that collection were made.
  expect((await stored('refreshTokens').indexes()).map(({ name }) => name)).toEqual(
    expect.arrayContaining(['token', 'family', 'theirs']),
  )
  await stored('refreshTokens').dropIndex('theirs')
  expect(await bare.prepare()).toEqual([])
})

it('prepareDatabase refuses a start where an index with other options has the place of a unique one', async () => {
  await stored('games').createIndex({ name: 1 }, { name: 'slug_unique' })
  expect(await startRefusalOf(bare.prepare())).toBe(
    "The index slug_unique of games cannot be made: slug_unique has its place with other options; drop that one (db.games.dropIndex('slug_unique')) and start again",
  )
})

const findBuild = () =>
  bare.client
    .db('admin')
    .aggregate([
      { $currentOp: {} },
      { $match: { ns: `${bare.db.databaseName}.games`, 'command.createIndexes': 'games' } },
    ])
    .hasNext()

it('a long build of indexes is printed with its collection, its indexes and the time so far', async () => {
  await stored('games').insertOne({ slug: 'doom' })
  await stored('games').createIndex({ updatedAt: 1 })
  const lines: string[] = []
  const session = bare.client.startSession()
  session.startTransaction()
  // Its lock keeps the build waiting.
  await stored('games').insertOne({ slug: 'quake' }, { session })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    const preparing = prepareDatabase(bare.uri, { print: (line) => lines.push(line) })
    while (!(await findBuild())) await db.ping()
    vi.advanceTimersByTime(2_000)
    while (lines.length === 0) await db.ping()
    await session.abortTransaction()
    await preparing
  } finally {
    vi.useRealTimers()
    await session.endSession()
  }
  const names = (await stored('games').indexes()).map(({ name }) => name).slice(2)
  expect(lines).toEqual([`Building the indexes of games: ${names.join(', ')} (2 s)`])
})

it('openDatabase reads from the primary with a fixed pool, whatever the address requests', async () => {
  const address = new URL(bare.uri)
  address.searchParams.set('readPreference', 'secondary')
  address.searchParams.set('minPoolSize', '5')
  const opened = openDatabase(address.href)
  const feed = opened.connectFeed()
  try {
    await stored('games').insertOne({ name: 'X' })
    expect(await opened.games.countDocuments({})).toBe(1)
    expect(await feed.db.command({ ping: 1 })).toMatchObject({ ok: 1 })
  } finally {
    await Promise.all([opened.close(), feed.client.close()])
  }
})
