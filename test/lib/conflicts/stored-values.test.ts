import { ObjectId } from 'mongodb'
import { afterAll, describe, expect, it } from 'vitest'
import type { StoredCandidate, StoredEntry } from '../../../lib/db/collections/conflicts.ts'
import type { Caller } from '../../support/clients/caller.ts'
import { insertConflict, insertGame } from '../../support/rows/rows.ts'
import { startService, type TestService } from '../../support/service/start-service.ts'

const service = await startService()
const admin = await service.caller({ isAdmin: true })
afterAll(() => service.close())

async function readCandidate(facts: Pick<StoredCandidate, 'score'> & Partial<StoredCandidate>) {
  const gameId = await insertGame(service.db)
  const { externalId } = await insertConflict(service.db, { candidates: [{ gameId, slug: 's', name: 'N', ...facts }] })
  const { item } = (await admin.get(`/conflicts/igdb/${externalId}`)).body
  const { results } = (await admin.get('/conflicts/list?source=igdb&state=waiting&take=50')).body
  const row = results.find((each: { externalId: string }) => each.externalId === externalId)
  expect(row.candidates[0].score).toBe(item.candidates[0].score)
  return item.candidates[0]
}

async function readEntry(facts: Partial<StoredEntry>) {
  const externalId = (await insertGame(service.db)).toHexString()
  await insertConflict(service.db, { source: 'hltb', externalId, entries: [{ id: '42', name: 'Halcyon', ...facts }] })
  return (await admin.get(`/conflicts/hltb/${externalId}`)).body.item.entries[0]
}

const NOTHING = { title: 0, companies: 0, date: 0, platforms: 0, genre: 0, type: 0 }

it('the parts of a breakdown have one decimal, however a parser stored them', async () => {
  const breakdown = { ...NOTHING, title: 12.3456, date: -3.25, type: -0.01 }
  const candidate = await readCandidate({ score: 70, breakdown })
  expect(candidate.breakdown).toEqual({ ...NOTHING, title: 12.3, date: -3.2, type: 0 })
})

describe('candidates that release 1.0 stored, scored from 0 to 1', () => {
  it.each([
    [0.9726, 97],
    [1, 100],
    [0.0042, 0],
    [0.5, 50],
  ])('%d reads as %d points, and signals as what they weigh', async (score, points) => {
    const breakdown = { title: 1, companies: null, date: 0.3, platforms: 0.5, genre: null, type: 0 }
    expect(await readCandidate({ score, breakdown })).toMatchObject({
      score: points,
      breakdown: { title: 10.9, companies: 0, date: -7.8, platforms: 0, genre: 0, type: -17.4 },
    })
  })

  it('a game that was found by hand reads as 100 points, with nothing compared', async () => {
    expect(await readCandidate({ score: 1, isManual: true })).toMatchObject({ score: 100, breakdown: NOTHING })
  })
})

describe('candidates in points', () => {
  it.each([
    [97, { title: 10.9, companies: 5.2, date: -0.9, platforms: 4.8, genre: 0, type: 0.5 }],
    [1, { ...NOTHING, title: -16.3 }],
    [0, { ...NOTHING, title: 0.5, date: -19.5 }],
    [0, NOTHING],
    [100, NOTHING],
  ])('read as they stand: %d, %j', async (score, breakdown) => {
    expect(await readCandidate({ score, breakdown })).toMatchObject({ score, breakdown })
  })

  it('a part that is missing or null reads as 0', async () => {
    const breakdown = { title: 10.9, companies: null }
    expect(await readCandidate({ score: 90, breakdown })).toMatchObject({ breakdown: { ...NOTHING, title: 10.9 } })
  })
})

describe('entries', () => {
  it.each([
    [{ score: 0.94 }, 94],
    [{ score: 1 }, 100],
    [{ score: 94 }, 94],
    [{ score: 0 }, 0],
    [{}, null],
  ])('%j has %j points', async (facts, score) => {
    expect((await readEntry(facts)).score).toBe(score)
  })

  it.each([
    [
      ['Main story 12 h', 'Co-op 3 h'],
      ['Main story 12 h', 'Co-op 3 h'],
    ],
    [{ mainStory: 8.5, completionist: 20 }, ['Main story 8.5 h', 'Completionist 20 h']],
    [{ developer: 'Kingfisher', odd: null, mainStory: '' }, ['developer: Kingfisher']],
    ['12 h', ['12 h']],
    [[7, null, 'Main story 12 h'], ['Main story 12 h']],
    [7, []],
    [null, []],
    [undefined, []],
  ])('details %j read as %j', async (details, list) => {
    expect((await readEntry(details === undefined ? {} : { details })).details).toEqual(list)
  })
})

it('candidates have the names of their games as stored now; a deleted game those of the record', async () => {
  const gameId = await insertGame(service.db, { name: 'New name', slug: 'new-name' })
  const candidates = [
    { gameId, slug: 'old-name', name: 'Old name', score: 90 },
    { gameId: new ObjectId(), slug: 'gone', name: 'Gone', score: 80 },
  ]
  const { externalId } = await insertConflict(service.db, { source: 'ra', candidates })
  const named = [
    { name: 'New name', slug: 'new-name' },
    { name: 'Gone', slug: 'gone' },
  ]
  expect((await admin.get(`/conflicts/ra/${externalId}`)).body.item.candidates).toMatchObject(named)
  const { results } = (await admin.get('/conflicts/list?source=ra')).body
  expect(results).toMatchObject([{ candidates: named }])
})
