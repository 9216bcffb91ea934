import { ObjectId } from 'mongodb'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { findSessionUser } from '../../../lib/auth/session-user.ts'
import { createConflictReads } from '../../../lib/conflicts/conflict-reads.ts'
import { decideConflict } from '../../../lib/conflicts/decide-conflict.ts'
import { createDecisionWrites } from '../../../lib/conflicts/write-decisions.ts'
import type { ConflictDocument } from '../../../lib/db/collections/conflicts.ts'
import { profile } from '../../support/clients/profile.ts'
import { startConflicts } from '../../support/scenes/conflicts-scene.ts'

const { service, carol, tabs, games, insert } = await startConflicts()
const [chosen] = games
const admin = await findSessionUser(service.deps, carol.cookie, { isFresh: true })
if (admin === null) throw new Error('carol has a session')

beforeEach(async () => {
  await service.db.conflicts.deleteMany({})
  await service.db.staffActions.deleteMany({})
})
afterAll(async () => {
  for (const tab of tabs) tab.close()
  await service.close()
})

const choice = { gameId: chosen.toHexString() }
const toWrite = ({ source, externalId }: ConflictDocument) => ({
  source,
  externalId,
  gameId: chosen,
  entryId: null,
  choice,
  admin,
  said: `decision of ${externalId}`,
})
const decide = (record: ConflictDocument, deps: Partial<typeof service.deps> = {}) =>
  decideConflict(Object.assign(Object.create(service.deps), deps), { ...record, choice, admin })
const insertMany = () =>
  Promise.all(Array.from({ length: 20 }, (_, index) => insert({ source: 'vndb', externalId: `v${index}` })))

test('decisions that arrive at once share one read of what was stored and one count of what is left', async () => {
  const records = await insertMany()
  const write = createDecisionWrites({ ...service.deps, conflictReads: createConflictReads() })
  const commands = await profile(service.db, 'conflicts', async () => {
    const results = await Promise.all(records.map((record) => write(toWrite(record))))
    for (const result of results) {
      expect(result).toMatchObject({ outcome: 'written', version: { rev: 1 } })
      if (result.outcome !== 'written') continue
      expect(await result.summary).toMatchObject({ pending: 0, applying: 20 })
      await result.recorded
    }
  })

  const ops = commands.map(({ op }) => op)
  expect(ops.filter((op) => op === 'update')).toHaveLength(records.length)
  expect(ops.filter((op) => op === 'query')).toHaveLength(1)
  expect(await service.db.staffActions.countDocuments({ action: 'conflict-decided', details: choice })).toBe(20)
})

test('a decision is announced and leaves its turn while the staff log and the count hang', async () => {
  const record = await insert()
  const never = new Promise<never>(() => undefined)
  const conflictReads = { ...createConflictReads(), summaries: () => never }
  const decisionWrites = createDecisionWrites({ ...service.deps, conflictReads })

  const { event, recorded } = await decide(record, { decisionWrites })
  expect(event.payload).toMatchObject({ state: 'queued-match' })
  await recorded
  // What comes in the meantime is not kept from the database for long.
  const next = await insert({ externalId: String(new ObjectId()) })
  expect((await decide(next, { decisionWrites })).event.payload).toMatchObject({ state: 'queued-match' })
})

test('only what was written is in the staff log', async () => {
  const [waiting, decided] = [await insert(), await insert({ decision: 'skip', externalId: String(new ObjectId()) })]
  const write = createDecisionWrites(service.deps)
  const results = await Promise.all([waiting, decided].map((record) => write(toWrite(record))))

  expect(results.map(({ outcome }) => outcome)).toEqual(['written', 'refused'])
  await Promise.all(results.map((result) => result.outcome === 'written' && result.recorded))
  const actions = await service.db.staffActions.find().toArray()
  expect(actions.map(({ target }) => target.id)).toEqual([`${waiting.source}/${waiting.externalId}`])
})

test('a count that fails is no failure of the decision', async () => {
  const record = await insert()
  const gone = new Error('gone')
  const conflictReads = { ...createConflictReads(), summaries: () => Promise.reject(gone) }
  const { event, recorded, summary } = await decide(record, {
    decisionWrites: createDecisionWrites({ ...service.deps, conflictReads }),
  })

  expect(event).toMatchObject({ payload: { state: 'queued-match', decidedBy: 'carol' }, version: { rev: 1 } })
  await expect(summary).rejects.toBe(gone)
  await recorded
  expect(await service.db.staffActions.countDocuments({})).toBe(1)
})
