import type { Collection, Document } from 'mongodb'
import { beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#lib/base/config'
import { Character, Game } from '#lib/contract/catalogue'
import { DEMO_PASSWORD, DEMO_USERS, describeDemoAccounts } from '#lib/domain/auth/demo-users'
import { hashPassword } from '#lib/domain/auth/passwords'
import type { CollectionName } from '#lib/infrastructure/db/connect'
import { fillFirstData } from '#lib/ops/seed/fill-first-data'
import * as tables from '#lib/ops/seed/seed-tables'
import { startTestProgram } from '../../../support/processes/test-programs.ts'
import { insertConflict, insertGame, insertPlatform, insertUser } from '../../../support/rows/rows.ts'
import { useService } from '../../../support/service/start-service.ts'

const PARTS =
  'platforms, games, characters, conflicts, users, discussion, reports, requests, notifications, staff log, pictures'.split(
    ', ',
  )
const TABLES = Object.values(tables)

let lines: string[]

const fill = (isAutomatic: boolean, env: NodeJS.ProcessEnv = {}, isDemo = false) =>
  fillFirstData({
    db,
    config: readConfig({ DATA_DIR: dataDir, ...env }),
    print: (line) => lines.push(line),
    isAutomatic,
    isDemo,
  })
const filledParts = async () =>
  (await db.seeds.find({ filledAt: { $exists: true } }).toArray()).map(({ _id }) => _id).sort()

const VARYING = {
  'suspension.at': 0,
  createdAt: 0,
  updatedAt: 0,
  decidedAt: 0,
  heldAt: 0,
  at: 0,
  passwordHash: 0,
  'hltb.updatedAt': 0,
}

// The tests compare the documents of all collections by the same code.
const open = (name: CollectionName): Collection<Document> => db[name] as unknown as Collection<Document>

/** Reads all first data without the values that differ between two fillings. */
async function contents(): Promise<Map<CollectionName, Document[]>> {
  const read = (name: CollectionName) => open(name).find({}, { projection: VARYING, sort: { _id: 1 } })
  const all = TABLES.map(async ({ collection }) => [collection, await read(collection).toArray()] as const)
  return new Map(await Promise.all(all))
}

async function clear() {
  await Promise.all([db.seeds, ...TABLES.map(({ collection }) => open(collection))].map((each) => each.deleteMany({})))
}

const service = await useService()
const db = service.db
const dataDir = service.deps.config.dataDir
lines = []
await fill(true)
/** The lines and the documents of a start that fills an empty database. */
const printed: string[] = lines
const whole = await contents()
beforeEach(() => {
  lines = []
})

test('an empty database gets all first data, and each part is remembered', async () => {
  expect(await filledParts()).toEqual([...PARTS].sort())
  for (const { collection, rows } of TABLES) expect(await db[collection].countDocuments(), collection).toBe(rows.length)
  expect(await db.users.distinct('userName', { roles: 'admin' })).toEqual(['carol'])
  expect(await db.users.distinct('email')).toEqual([...DEMO_USERS.keys()])
  expect(printed).toEqual([`Filled in: ${PARTS.join(', ')}`])
})

test('games have covers and proposals images that the service serves, and comments wait for admins', async () => {
  const covers = await db.games.distinct('cover')
  expect(covers).toHaveLength(tables.GAMES.rows.length)
  for (const key of [covers[0], (await db.contentRequests.findOne({ 'payload.cover': /./ }))?.payload.cover]) {
    const { status, headers } = await service.guest.get(`/files/${key}`)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/png')
  }
  const admin = await service.caller({ isAdmin: true })
  const { results } = (await admin.get('/comments/reported')).body
  expect(results.map(({ reportsCount }: { reportsCount: number }) => reportsCount)).toEqual([2, 1])
  const [open, resolved] = [(await admin.get('/reports')).body, (await admin.get('/reports?status=resolved')).body]
  expect(open.results).toMatchObject([
    { count: 2, reasons: { spoiler: 2 } },
    { count: 1, reasons: { 'off-topic': 1 } },
    { count: 0, reasons: { held: 1 }, comment: { isHeld: true } },
  ])
  expect(resolved.results).toMatchObject([{ count: 1, resolution: { outcome: 'acted-on', by: { userName: 'carol' } } }])
})

test('a discussion has replies, likes and a hidden comment; requests can be reviewed; users have notifications', async () => {
  const comments = await db.comments.find().toArray()
  for (const { _id, likesCount, likedBy, repliesCount } of comments) {
    const replies = comments.filter(({ parentId, status }) => parentId?.equals(_id) && status === 'visible')
    expect({ likesCount, repliesCount }).toEqual({ likesCount: likedBy?.length, repliesCount: replies.length })
  }
  expect(await db.comments.distinct('status')).toEqual(['deleted', 'hidden', 'visible'])
  for (const count of ['likesCount', 'repliesCount'])
    expect(await db.comments.countDocuments({ [count]: { $gt: 0 } }), count).toBeGreaterThan(0)

  const admin = await service.caller({ isAdmin: true })
  const { results, total } = (await admin.get('/requests?take=50')).body
  expect([total, (await admin.get('/requests?status=pending')).body.total]).toEqual([tables.REQUESTS.rows.length, 4])
  for (const { action, status, targetName, resultSlug } of results) {
    expect([targetName === null, resultSlug === null]).toEqual([action === 'add', status !== 'approved'])
  }

  const alice = await db.users.distinct('_id', { userName: 'alice' })
  const types = await db.notifications.distinct('type', { userId: { $in: alice } })
  expect(types).toEqual(['comment-reply', 'report-decided', 'request-decided'])
  expect((await admin.get('/staff-actions')).body.total).toBe(tables.STAFF_ACTIONS.rows.length)
  expect((await service.guest.get('/discussions')).body.results).toHaveLength(8)
})

test('every entry is found and read through the service', async () => {
  for (const { slug } of tables.GAMES.rows) Game.parse((await service.guest.get(`/games/${slug}`)).body)
  for (const { slug } of tables.CHARACTERS.rows) Character.parse((await service.guest.get(`/characters/${slug}`)).body)
  const found = await service.guest.get('/games/search?searchString=chrono%20trigger')
  expect(found.body.results[0].slug).toBe('chrono-trigger')
  expect((await service.guest.get('/platforms')).body).toHaveLength(tables.PLATFORMS.rows.length)
  expect(
    await db.games.countDocuments({ hltb: { $exists: true }, 'hltb.updatedAt': { $not: { $type: 'date' } } }),
  ).toBe(0)
  const discussion = await service.guest.get(`/games/${found.body.results[0]._id}/comments`)
  expect(discussion.body.total).toBeGreaterThan(0)
})

test('three conflicts of each source wait, about games that are stored, each with its subject', async () => {
  const admin = await service.caller({ isAdmin: true })
  const summary = (await admin.get('/conflicts')).body
  expect(summary).toMatchObject({ pending: 12, applying: 0, bySource: { vndb: 3, igdb: 3, hltb: 3, ra: 3 } })

  const { results } = (await admin.get('/conflicts/list?state=waiting')).body
  for (const { source, externalId } of results) {
    const { item } = (await admin.get(`/conflicts/${source}/${externalId}`)).body
    expect(item.subject).toMatchObject({ name: expect.stringMatching(/./), description: expect.stringMatching(/./) })
    expect(item.reason).not.toBeNull()
    expect(item.candidates.length + item.entries.length).toBeGreaterThan(0)
    if (item.candidates.length > 0) expect(item.candidates[0].score).toBeGreaterThan(0)
    for (const { game } of item.candidates) expect(game).not.toBeNull()
  }
})

// Each of the next four tests needs the data that the one before it leaves.
test('a second fill changes nothing and brings nothing back', async () => {
  await db.games.deleteOne({ slug: 'chrono-trigger' })
  await db.users.updateOne({ userName: 'alice' }, { $set: { royalGames: [] } })
  const before = await contents()
  await fill(true)
  await fill(false)
  expect(await contents()).toEqual(before)
  expect(lines).toEqual(['Everything was filled in before'])
})

test('a part that an earlier release did not have is filled in, and no other', async () => {
  await Promise.all([db.games, db.characters].map((each) => each.deleteMany({})))
  await db.seeds.deleteOne({ _id: 'characters' })
  await fill(true)
  expect(lines).toEqual(['Filled in: characters'])
  expect(await db.characters.countDocuments()).toBeGreaterThan(0)
  expect(await db.games.countDocuments()).toBe(0)
})

test('only demo users with the published password are printed, where they may exist', async () => {
  const [line] = await describeDemoAccounts({ db, config: readConfig({}) })
  expect(line).toContain('alice, bob, carol (admin), dave')
  expect(line).toContain(DEMO_PASSWORD)

  await db.users.updateOne({ userName: 'bob' }, { $set: { passwordHash: await hashPassword('another one') } })
  await db.users.updateOne({ userName: 'alice' }, { $set: { passwordHash: 'unreadable' } })
  expect((await describeDemoAccounts({ db, config: readConfig({}) }))[0]).toContain('Demo users: carol (admin), dave;')
  expect(await describeDemoAccounts({ db, config: readConfig({ PUBLIC_URL: 'https://gamehall.example' }) })).toEqual([])

  await db.users.deleteMany({ userName: { $in: ['carol', 'dave'] } })
  expect(await describeDemoAccounts({ db, config: readConfig({}) })).toEqual([])
  await db.users.deleteMany({})
  expect(await describeDemoAccounts({ db, config: readConfig({}) })).toEqual([])
})

test('data of a removed demo user is not stored for another user', async () => {
  await db.seeds.deleteOne({ _id: 'notifications' })
  await db.notifications.deleteMany({})
  await fill(true)
  expect(lines).toEqual([])
  expect(await db.notifications.countDocuments()).toBe(0)
})

describe('fillFirstData', () => {
  beforeEach(clear)

  test('a start leaves a database with foreign content alone', async () => {
    await insertUser(service.deps, { userName: 'Somebody' })
    await fill(true)
    expect(await db.seeds.countDocuments()).toBe(0)
    expect(await db.games.countDocuments()).toBe(0)
    expect(lines).toEqual([])
  })

  test('two starts with MONGODB_URI at once fill in the platforms, once, and nothing else', async () => {
    const env = { MONGODB_URI: 'mongodb://127.0.0.1/gamehall' }
    await insertUser(service.deps, { userName: 'Somebody' })
    await Promise.all([fill(true, env), fill(true, env)])
    await db.platforms.deleteOne({ slug: 'dos' })
    await fill(true, env)
    expect(await db.platforms.countDocuments()).toBe(tables.PLATFORMS.rows.length - 1)
    expect(await filledParts()).toEqual(['platforms'])
    expect(await db.games.countDocuments()).toBe(0)
  })

  test('a start with MONGODB_URI adds nothing to the platforms of another program', async () => {
    await insertPlatform(db)
    await fill(true, { MONGODB_URI: 'mongodb://127.0.0.1/gamehall' })
    expect(await db.platforms.countDocuments()).toBe(1)
  })

  test('the command fills in parts beside foreign content, which stays as it is', async () => {
    const foreign = [
      await insertGame(db, { name: 'My Chrono', slug: 'chrono-trigger' }),
      await insertGame(db, { name: 'Mario by another slug', slug: 'smb', igdb: { gameId: 358 } }),
    ]
    const alice = await insertUser(service.deps, { userName: 'Alice' })
    await db.users.updateOne({ _id: alice._id }, { $set: { email: 'real@example.com' } })
    const conflict = await insertConflict(db, { source: 'vndb', externalId: 'v50', externalName: 'By a parser' })
    const before = {
      games: await db.games.find({ _id: { $in: foreign } }).toArray(),
      alice: await db.users.findOne({ _id: alice._id }),
    }

    await fill(false)
    expect(await db.games.find({ _id: { $in: foreign } }).toArray()).toEqual(before.games)
    expect(await db.users.findOne({ _id: alice._id })).toEqual(before.alice)
    expect(await db.games.countDocuments()).toBe(tables.GAMES.rows.length)
    expect(await db.conflicts.findOne({ source: 'vndb', externalId: 'v50' })).toEqual(conflict)
    expect(await db.conflicts.countDocuments({ source: 'vndb' })).toBe(3)
    expect(lines[1]).toMatch(/^Left out: users, discussion, .* Not all demo users exist: alice, /)
    expect(await db.comments.countDocuments()).toBe(0)
    expect(await filledParts()).toEqual(['characters', 'conflicts', 'games', 'platforms'])

    await db.users.deleteOne({ _id: alice._id })
    await fill(false)
    expect(await filledParts()).toEqual([...PARTS].sort())
    // Rows that refer to a game of the first data which is not stored are left out.
    expect(await db.comments.countDocuments()).toBeLessThan(tables.COMMENTS.rows.length)
    expect(await db.comments.countDocuments()).toBeGreaterThan(0)
  })

  const production = {
    NODE_ENV: 'production',
    MONGODB_URI: 'mongodb://127.0.0.1/gamehall',
    JWT_SECRET: 'x'.repeat(32),
    PUBLIC_URL: 'http://localhost:3228',
    CORS_ORIGINS: 'http://localhost:3000',
  }

  test.each([{ PUBLIC_URL: 'https://gamehall.example' }, { PUBLIC_URL: 'http://10.0.0.8:3228' }, production])(
    'no demo users and none of their data with %j, and a line says so',
    async (env) => {
      await fill(false, env, true)
      expect(await filledParts()).toEqual(['characters', 'conflicts', 'games', 'platforms'])
      expect(await db.users.countDocuments()).toBe(0)
      expect(await db.comments.countDocuments()).toBe(0)
      expect(lines[1]).toMatch(/^Left out: users, discussion, reports/)
    },
  )

  test('production gets nothing for a demonstration without --demo, and a line says so', async () => {
    await fill(false, production)
    expect(await filledParts()).toEqual(['platforms'])
    expect(await db.games.countDocuments()).toBe(0)
    expect(lines).toEqual(['Filled in: platforms', expect.stringMatching(/^Left out: games, .* with --demo alone$/)])
  })

  test('a first start that is killed in the middle of one collection after another is completed by the next one, without duplicates', async () => {
    const completed: CollectionName[] = []
    for (const collection of ['games', 'users', 'comments'] as const) {
      const argument = { uri: service.mongodbUri, collection }
      const { signal } = await startTestProgram('fill-and-die', argument, { DATA_DIR: dataDir }).ended
      expect(signal, collection).toBe('SIGKILL')
      const stored = await contents()
      const count = (of: typeof whole, name: CollectionName) => of.get(name)?.length ?? 0
      expect(count(stored, collection), collection).toBeGreaterThan(0)
      expect(count(stored, collection), collection).toBeLessThan(count(whole, collection))
      expect((await filledParts()).length, collection).toBeLessThan(PARTS.length)
      for (const earlier of completed) expect(count(stored, earlier)).toBe(count(whole, earlier))
      completed.push(collection)
    }
    await fill(true)
    expect(await contents()).toEqual(whole)
  })
})
