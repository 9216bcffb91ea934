import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { ConflictDocument } from '#lib/infrastructure/db/collections/conflicts'
import { insertConflict, insertGame } from '../../support/rows/rows.ts'
import { useService } from '../../support/service/start-service.ts'

const service = await useService()
const admin = await service.caller({ isAdmin: true })
const gameId = await insertGame(service.db, { name: 'Lantern Keep' })
// Another program stored a game with values of other types.
const odd = {
  companies: [null, { name: null }, 7],
  alternative_names: [null],
  platformIds: 'x',
  first_release: 1e300,
}
await service.db.games.updateOne({ _id: gameId }, [{ $set: odd }])

const candidate = () => ({ gameId, slug: 's', name: 'N', score: 1 })
const NOTHING = {
  name: '',
  originalName: '',
  alternativeNames: [],
  description: '',
  released: null,
  developers: [],
}

/** Records of foreign parsers: fields left out, null, or of another type. */
const ODD: Record<string, () => Record<string, unknown>> = {
  'nothing but its identity': () => ({}),
  'null everywhere': () => ({
    externalName: null,
    reason: null,
    candidates: null,
    entries: null,
    decision: null,
    winner: null,
    winnerEntryId: null,
    decidedBy: null,
    failure: null,
    rev: null,
    externalData: null,
    createdAt: null,
    updatedAt: null,
  }),
  'candidates with holes': () => ({
    candidates: [null, {}, { gameId: 'text' }, { gameId }, { ...candidate(), score: null, breakdown: null }],
    reason: 'a new reason',
    decidedBy: { userName: null },
    failure: { message: 'Undated' },
  }),
  'texts for lists and numbers': () => ({
    candidates: [{ ...candidate(), score: 'high', breakdown: { title: 'high' }, matchedTitle: 7 }],
    externalData: { alternativeNames: 'x', developers: [null, 7], platformIds: ['x', null], lengthMinutes: 'x' },
    createdAt: 'yesterday',
  }),
  'an entry without a name': () => ({ externalData: {}, createdAt: 5 }),
}

async function store(facts: Record<string, unknown>) {
  const externalId = `odd ${new ObjectId()}`
  const record: Record<string, unknown> = {
    _id: new ObjectId(),
    source: 'igdb',
    externalId,
    status: 'pending',
    ...facts,
  }
  // The record is outside its type on purpose.
  await service.db.conflicts.insertOne(record as unknown as ConflictDocument)
  return { path: `/conflicts/igdb/${encodeURIComponent(externalId)}`, externalId }
}

it.each(Object.keys(ODD))('200: a record with %s is counted, listed, read and decided', async (name) => {
  await service.db.conflicts.deleteMany({})
  const { path, externalId } = await store(ODD[name]?.() ?? {})
  const other = await store({ createdAt: new Date(), externalName: 'Other' })

  expect((await admin.get('/conflicts')).body.pending).toBe(2)
  const list = await admin.get('/conflicts/list?search=&take=50')
  expect(list.body.results.map((row: { externalId: string }) => row.externalId).sort()).toEqual(
    [externalId, other.externalId].sort(),
  )
  expect((await admin.get(`/conflicts/by-game/${gameId}`)).status).toBe(200)

  const { status, body } = await admin.get(path)
  expect(status).toBe(200)
  expect(body.item).toMatchObject({ state: 'waiting', nextExternalId: other.externalId, remaining: 2, failure: null })
  expect((await admin.get(other.path)).body.item.nextExternalId).toBe(externalId)
  if (body.item.subject) expect(body.item.subject).toMatchObject(NOTHING)
  for (const { game } of body.item.candidates) {
    expect(game).toMatchObject({ companies: [], alternativeNames: [], platformIds: [], linkedExternalId: null })
  }

  const candidate = { gameId: (await insertGame(service.db)).toHexString() }
  expect((await admin.post(`${path}/candidates`, { body: candidate })).body.item.candidates[0]).toMatchObject(candidate)
  expect((await admin.post(`${path}/decision`, { body: { gameId: null } })).status).toBe(200)
  expect((await admin.get('/conflicts/list?state=queued-new')).body.total).toBe(1)
})

it.each(Object.keys(ODD))('200: a skipped record with %s is listed, read and reopened', async (name) => {
  await service.db.conflicts.deleteMany({})
  const { path } = await store({ ...ODD[name]?.(), status: 'absent' })

  expect((await admin.get('/conflicts/list')).body.results).toMatchObject([{ state: 'new-game', winners: [] }])
  expect((await admin.get(path)).body.item).toMatchObject({ state: 'new-game', nextExternalId: null, remaining: 0 })
  expect((await admin.post(`${path}/reopen`)).body).toMatchObject({ pending: 1 })
})

it('200: an hltb record with an odd game or odd entries is read and listed', async () => {
  await service.db.conflicts.deleteMany({})
  const externalId = gameId.toHexString()
  await store({ source: 'hltb', externalId, entries: [null, {}, { id: 7 }, { id: '8' }], externalName: 7 })
  await store({ source: 'hltb', externalId: 'no game id', status: 'resolved', entries: 'x' })

  const { item } = (await admin.get(`/conflicts/hltb/${externalId}`)).body
  expect(item.subject).toMatchObject({ name: 'Lantern Keep', released: null, developers: [], platformIds: [] })
  expect(item.entries).toMatchObject([{ id: '8', name: '8', score: null }])
  const { results } = (await admin.get('/conflicts/list')).body
  expect(results).toMatchObject([{ externalName: externalId }, { entries: [], winners: [] }])
})

const UNWEIGHED = { title: 0, companies: 0, date: 0, platforms: 0, genre: 0, type: 0 }

it.each([
  ['with one decimal', { ...UNWEIGHED, title: 12.3456, date: -3.25, type: -0.01 }, { title: 12.3, date: -3.2 }],
  [
    'as 0 where it is missing, null or beyond every number',
    { title: 10.9, companies: null, date: 1e308 },
    { title: 10.9 },
  ],
])('200: a part of a breakdown is answered %s', async (_, breakdown, read) => {
  const { externalId } = await insertConflict(service.db, { candidates: [{ ...candidate(), breakdown }] })
  const { item } = (await admin.get(`/conflicts/igdb/${externalId}`)).body
  expect(item.candidates[0].breakdown).toEqual({ ...UNWEIGHED, ...read })
})

it.each([
  [
    { score: 94.4, details: ['Main story 12 h'] },
    { score: 94, details: ['Main story 12 h'] },
  ],
  [
    { score: 0, details: [7, null, 'Main story 12 h'] },
    { score: 0, details: ['Main story 12 h'] },
  ],
  [{ details: '12 h' }, { score: null, details: [] }],
  [{}, { score: null, details: [] }],
])('200: the stored entry %j is answered as %j', async (stored, read) => {
  const externalId = (await insertGame(service.db)).toHexString()
  await store({ source: 'hltb', externalId, entries: [{ id: '42', name: 'Halcyon', ...stored }] })
  expect((await admin.get(`/conflicts/hltb/${externalId}`)).body.item.entries[0]).toMatchObject(read)
})
