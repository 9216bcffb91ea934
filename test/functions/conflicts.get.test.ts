import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import type { ConflictDocument } from '../../lib/infrastructure/db/collections/conflicts.ts'
import { expectIndexed, profile } from '../support/clients/profile.ts'
import { insertConflict, insertRows, newConflict } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const NONE = { vndb: 0, igdb: 0, hltb: 0, ra: 0 }
const NOTHING = { pending: 0, applying: 0, firstExternalId: null, firstSource: null, bySource: NONE }

const service = await useService()
const admin = await service.caller({ isAdmin: true })
beforeEach(() => service.db.conflicts.deleteMany({}))

const insert = (facts: Partial<ConflictDocument>) => insertConflict(service.db, facts)
const ask = async (query = '') => (await admin.get(`/conflicts${query}`)).body

it('200 with the numbers of waiting and queued conflicts, by source and in all, and with the oldest', async () => {
  expect(await ask()).toEqual(NOTHING)
  await insert({ source: 'igdb', externalId: '10', createdAt: new Date(2_000) })
  await insert({ source: 'vndb', externalId: 'v1', decision: null, createdAt: new Date(3_000) })
  await insert({ source: 'vndb', externalId: 'v2', decision: null, createdAt: new Date(1_000) })
  await insert({ source: 'vndb', externalId: 'v3', decision: 'match' })
  await insert({ source: 'ra', externalId: '7', decision: 'skip', createdAt: new Date(1) })
  await insert({ source: 'ra', externalId: '8', status: 'absent', decision: 'skip', createdAt: new Date(1) })
  await insert({ source: 'hltb', externalId: '9', status: 'resolved', decision: null, createdAt: new Date(1) })

  const bySource = { ...NONE, vndb: 2, igdb: 1 }
  expect(await ask()).toEqual({ pending: 3, applying: 2, firstExternalId: 'v2', firstSource: 'vndb', bySource })
  expect(await ask('?source=igdb')).toEqual({
    pending: 1,
    applying: 0,
    firstExternalId: '10',
    firstSource: 'igdb',
    bySource,
  })
  expect(await ask('?source=ra')).toEqual({ ...NOTHING, applying: 1, bySource })
})

it('200: the smaller id comes first among equal dates, and no date comes before all', async () => {
  const createdAt = new Date(5)
  const [a, b] = [new ObjectId(), new ObjectId()]
  await insert({ _id: b, externalId: 'later', createdAt })
  await insert({ _id: a, externalId: 'earlier', createdAt })
  expect((await ask()).firstExternalId).toBe('earlier')

  const undated = await insert({ externalId: 'undated' })
  await service.db.conflicts.updateOne({ _id: undated._id }, { $unset: { createdAt: true } })
  expect((await ask()).firstExternalId).toBe('undated')
})

it('200: 1,200 conflicts are counted without reading a document', async () => {
  const sources = ['vndb', 'igdb', 'hltb', 'ra'] as const
  const rows = Array.from({ length: 1_200 }, (_, index) =>
    newConflict({ source: sources[index % 4] ?? 'ra', ...(index % 3 > 0 && { decision: null }) }),
  )
  await insertRows(service.db.conflicts, rows)
  await insert({ decision: 'skip' })
  const commands = await profile(service.db, 'conflicts', async () => {
    expect(await ask()).toMatchObject({ pending: 1_200, applying: 1, bySource: { vndb: 300, ra: 300 } })
  })

  const total = (of: 'keysExamined' | 'docsExamined') => commands.reduce((sum, each) => sum + (each[of] ?? 0), 0)
  expect(total('keysExamined')).toBeGreaterThanOrEqual(1_200)
  expect(total('keysExamined')).toBeLessThan(1_300)
  // The oldest conflict of each source is read.
  expect(total('docsExamined')).toBeLessThanOrEqual(4)
  expectIndexed(commands)
})
