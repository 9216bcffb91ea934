import { afterAll, describe, expect, it } from 'vitest'
import type { StoredCandidate, StoredEntry } from '../../../lib/db/collections/conflicts.ts'
import { insertConflict, insertGame } from '../../support/rows/rows.ts'
import { startService } from '../../support/service/start-service.ts'

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
])('the entry %j reads as %j', async (stored, read) => {
  // A parser is not held to the types.
  expect(await readEntry(stored as Partial<StoredEntry>)).toMatchObject(read)
})
