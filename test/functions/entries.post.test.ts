import { ObjectId } from 'mongodb'
import { beforeEach, expect, test } from 'vitest'
import type { EntryInput } from '#lib/contract/entries'
import { buildGameKeys } from '#lib/domain/catalogue/games/insert-game'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { watchConflicts } from '../support/clients/watch-conflicts.ts'
import { insertConflict, insertGame, insertPlatform } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()
const games = await useService({ env: { SYNC_NEW: 'games' }, mongodbUri: service.mongodbUri })
const linked = await useService({ env: { SYNC_NEW: 'linked' }, mongodbUri: service.mongodbUri })
const admin = await service.caller({ userName: 'carol', isAdmin: true })
const { db } = service
const pc = await insertPlatform(db, { name: 'PC', igdbId: 6, raConsoleId: 7 })
const erin = { userId: new ObjectId(), userName: 'erin' }

const FACTS = {
  name: 'Moonlit Cartographer',
  first_release: Date.UTC(1999, 2, 3) / 1_000,
  companies: [{ name: 'North Pier', developer: true }],
  platformIds: [pc],
}
const ENTRY: EntryInput = {
  id: '9',
  name: 'Moonlit Cartographer',
  released: '1999-03-03',
  developers: ['North Pier'],
  platforms: [6],
}

const insert = (facts: Partial<GameDocument> = {}) => {
  const game = { ...FACTS, ...facts }
  return insertGame(db, { ...game, ...buildGameKeys(game) })
}
const hand = async (entries: unknown[], { at = service, source = 'igdb' } = {}) => {
  const caller = at === service ? admin : await at.caller({ isAdmin: true })
  const { status, body } = await caller.post('/entries', { body: { source, entries } })
  expect(status, JSON.stringify(body)).toBe(200)
  return body.results
}
const handOne = async (...args: Parameters<typeof hand>) => (await hand(...args))[0]
const record = (source = 'igdb', externalId = '9') =>
  db.conflicts.findOne({ source: source as ConflictDocument['source'], externalId })

beforeEach(async () => {
  await Promise.all([db.conflicts.deleteMany({}), db.games.deleteMany({})])
})

interface Row {
  game?: Partial<GameDocument> | null
  stored?: Partial<ConflictDocument>
  entry?: Partial<EntryInput>
  source?: 'igdb' | 'vndb' | 'ra'
  at?: typeof service
  outcome: string
  reason?: string
  stores?: Partial<ConflictDocument> | null
}

const closed = { decidedBy: erin, decision: 'match', status: 'resolved' } as const
const TABLE: [what: string, row: Row][] = [
  [
    'that plainly matches a game is queued as an automatic match',
    {
      outcome: 'matched',
      stores: { status: 'pending', decision: 'match', isAutomatic: true, decidedBy: null, reason: null },
    },
  ],
  ['of another date waits', { entry: { released: '2011' }, outcome: 'waiting', reason: 'date-contradicts' }],
  ['without a date waits', { entry: { released: null }, outcome: 'waiting', reason: 'unverified-title' }],
  [
    'of other makers waits',
    { entry: { developers: ['Grey Harbour'] }, outcome: 'waiting', reason: 'company-mismatch' },
  ],
  ['with a hand-made game waits', { game: { isCustom: true }, outcome: 'waiting', reason: 'custom-game' }],
  ['with a game that is not parsed waits', { game: { isStopParsing: true }, outcome: 'waiting' }],
  ['with a game that has another entry waits', { game: { igdb: { gameId: 8 } }, outcome: 'waiting' }],
  ['of IGDB with a game of VNDB waits', { game: { vndb: { vnId: 'v1' } }, outcome: 'waiting' }],
  [
    'like no game becomes one where new games are wanted',
    { game: null, at: games, outcome: 'new', stores: { decision: 'skip', isAutomatic: true, winner: null } },
  ],
  ['like no game waits otherwise', { game: null, outcome: 'waiting', stores: { candidates: [], reason: null } }],
  ['is left where only linked ones are refreshed', { at: linked, outcome: 'unchanged', stores: null }],
  [
    'that says something else of a linked game is refreshed, without a record too',
    { game: { igdb: { gameId: 9 } }, at: linked, outcome: 'refreshed', stores: { decision: 'match', isRefresh: true } },
  ],
  [
    'of a linked game that is not parsed is left',
    { game: { igdb: { gameId: 9 }, isStopParsing: true }, outcome: 'unchanged', stores: null },
  ],
  [
    'of a game that an admin matched is refreshed, and stays his decision',
    {
      game: { igdb: { gameId: 9 } },
      stored: closed,
      outcome: 'refreshed',
      stores: { status: 'pending', decision: 'match', decidedBy: erin, isRefresh: true },
    },
  ],
  [
    'that an admin queued is decided',
    {
      stored: { decision: 'skip', decidedBy: erin },
      outcome: 'decided',
      stores: { decision: 'skip', decidedBy: erin },
    },
  ],
  [
    'that an admin left without a game is decided',
    {
      source: 'ra',
      stored: { ...closed, status: 'absent', decision: 'skip', winner: null },
      outcome: 'decided',
      stores: { status: 'absent' },
    },
  ],
  [
    'that waits is matched again',
    { stored: { reason: 'weak-title', entryHash: 'other' }, outcome: 'matched', stores: { isAutomatic: true } },
  ],
  [
    'that a person reopened waits, however plain',
    { stored: { reopenedBy: erin }, outcome: 'waiting', stores: { decision: null, isAutomatic: false } },
  ],
  [
    'that a person reopened waits, even when its game is still linked',
    { game: { igdb: { gameId: 9 } }, stored: { reopenedBy: erin }, outcome: 'waiting', stores: { decision: null } },
  ],
]

test.each(TABLE)('200: an entry %s', async (_, { game = {}, stored, entry, source = 'igdb', at, outcome, ...row }) => {
  const gameId = game && (await insert(game))
  const winner = stored?.status === 'resolved' ? { winner: gameId } : {}
  if (stored) await insertConflict(db, { source, externalId: '9', ...winner, ...stored })
  const handed = [{ ...ENTRY, ...entry }]
  const first = await handOne(handed, { source, ...(at && { at }) })

  expect(first).toMatchObject({ id: '9', outcome, reason: row.reason ?? null, message: null })
  const after = await record(source)
  if (row.stores === null) expect(after).toBeNull()
  else expect(after).toMatchObject(row.stores ?? {})
  // The same list again changes nothing.
  const again = await handOne(handed, { source, ...(at && { at }) })
  const same = { outcome: outcome === 'decided' ? 'decided' : 'unchanged' }
  expect(again).toMatchObject(first.gameId === null ? same : { ...same, gameId: first.gameId })
  expect(await record(source)).toEqual(after)
})

test('200: candidates that an admin found by hand stay first when the entry is matched again', async () => {
  const [found, byHand, both] = [await insert(), await insert({ name: 'Grey Harbour' }), await insert()]
  const toManual = (gameId: ObjectId) => ({
    gameId,
    name: 'Of an admin',
    slug: 'of-an-admin',
    score: 100,
    isManual: true,
  })
  await insertConflict(db, { source: 'igdb', externalId: '9', candidates: [toManual(byHand), toManual(both)] })
  expect(await handOne([{ ...ENTRY, released: '2011' }])).toMatchObject({ outcome: 'waiting' })

  const { candidates = [] } = (await record()) ?? {}
  expect(candidates.map(({ gameId, isManual }) => [gameId, isManual])).toEqual([
    [byHand, true],
    [both, true],
    [found, false],
  ])
})

test('200: malformed entries alone are refused, each with its reason', async () => {
  await insert()
  const results = await hand([
    { id: 'v9', name: 'X' },
    { id: 9 },
    'text',
    { ...ENTRY, released: '1999-02-30' },
    { ...ENTRY, url: 'javascript:alert(1)' },
    ENTRY,
  ])

  expect(results.map(({ id, outcome, message }: Record<string, unknown>) => [id, outcome, message])).toEqual([
    ['v9', 'refused', 'v9 is no id of IGDB'],
    ['9', 'refused', 'name is required'],
    [null, 'refused', 'An entry must be an object'],
    ['9', 'refused', 'A date is a year, a month or a day, such as 2017, 2017-03 or 2017-03-03'],
    ['9', 'refused', 'Use an http(s) link'],
    ['9', 'matched', null],
  ])
})

test('200: an id that a list has twice is taken twice, in order', async () => {
  const gameId = await insert()
  const results = await hand([{ ...ENTRY, released: '2011' }, ENTRY, ENTRY])

  expect(results.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['waiting', 'matched', 'unchanged'])
  expect(await record()).toMatchObject({ winner: gameId, rev: 2 })
})

test.each([
  ['games and entries exchanged', { source: 'hltb', entries: [ENTRY] }],
  ['an unknown source', { source: 'steam', entries: [ENTRY] }],
  ['an empty list', { source: 'igdb', entries: [] }],
  ['501 entries', { source: 'igdb', entries: Array.from({ length: 501 }, () => 1) }],
])('400 for %s', async (_, body) => {
  expect((await admin.post('/entries', { body })).status).toBe(400)
})

test('200 for hltb: title, year and platform decide, and a game without a similar entry waits', async () => {
  const [game, other, stopped] = [await insert(), await insert({ name: 'Kingfisher Wood' }), new ObjectId()]
  const entry = { id: 3, name: 'Moonlit Cartographer', releaseYear: 1999, platforms: ['pc', 'Unknown'] }
  const list = [
    { gameId: game.toHexString(), entries: [{ id: 2, name: 'Moonlit' }, entry] },
    { gameId: other.toHexString(), entries: [entry] },
    { gameId: stopped.toHexString(), entries: [entry] },
  ]
  const { body } = await admin.post('/entries', { body: { source: 'hltb', games: list } })

  expect(body.results).toMatchObject([
    { id: game.toHexString(), outcome: 'matched', gameId: game.toHexString() },
    { id: other.toHexString(), outcome: 'waiting', gameId: null },
    { id: stopped.toHexString(), outcome: 'refused', message: 'Game not found' },
  ])
  expect(await record('hltb', game.toHexString())).toMatchObject({
    winner: null,
    winnerEntryId: '3',
    isAutomatic: true,
  })
  const again = await admin.post('/entries', { body: { source: 'hltb', games: list } })
  expect(again.body.results.map(({ outcome }: { outcome: string }) => outcome)).toEqual([
    'unchanged',
    'unchanged',
    'refused',
  ])
})

test('409 for an admin who comes too late for an automatic match', async () => {
  await insert()
  await hand([ENTRY])
  const { status, body } = await admin.post('/conflicts/igdb/9/decision', { body: { gameId: null } })

  expect([status, body.message]).toEqual([409, 'An automatic match has already decided 9'])
})

test('200: one event names all entries that were queued or wait, in the order of the list', async () => {
  const first = [ENTRY, { ...ENTRY, id: 10, name: 'Harbour at Dawn' }]
  await hand(first)
  await insert()
  const tab = await watchConflicts(service, admin)
  // Updates: new records reach this instance through its change stream as well, and may arrive in two parts.
  const changed = first.map((entry) => ({ ...entry, platforms: [] }))
  const results = await hand(changed)
  await hand(changed)

  expect(results).toMatchObject([{ outcome: 'matched' }, { outcome: 'waiting' }])
  const one = { event: 'conflicts:applied', payload: { source: 'igdb', externalIds: ['9', '10'] } }
  expect(await tab.seen()).toEqual([one])
})
