import { ObjectId } from 'mongodb'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { findSessionUser } from '../../../lib/auth/session-user.ts'
import type { Probe } from '../../../lib/concurrency/probe.ts'
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
  ...{ source, externalId, gameId: chosen, entryId: null, choice, admin, said: `decision of ${externalId}` },
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
      if (result.outcome === 'written') expect(await result.summary).toMatchObject({ pending: 0, applying: 20 })
    }
  })

  const ops = commands.map(({ op }) => op)
  expect(ops.filter((op) => op === 'update')).toHaveLength(records.length)
  expect(ops.filter((op) => op === 'query')).toHaveLength(1)
  expect(await service.db.staffActions.countDocuments({ action: 'conflict-decided', details: choice })).toBe(20)
})

test('a decision is in the staff log before anybody is told of it', async () => {
  const record = await insert()
  let recorded = 0
  const probe: Probe = async (step) => {
    if (step === 'conflict:written') recorded = await service.db.staffActions.countDocuments({})
  }
  await decide(record, { probe })

  expect(recorded).toBe(1)
})

test('only what was written is in the staff log', async () => {
  const [waiting, decided] = [await insert(), await insert({ decision: 'skip', externalId: String(new ObjectId()) })]
  const write = createDecisionWrites(service.deps)
  const results = await Promise.all([waiting, decided].map((record) => write(toWrite(record))))

  expect(results.map(({ outcome }) => outcome)).toEqual(['written', 'refused'])
  const actions = await service.db.staffActions.find().toArray()
  expect(actions.map(({ target }) => target.id)).toEqual([`${waiting.source}/${waiting.externalId}`])
})

test('a count that fails is no failure of the decision', async () => {
  const record = await insert()
  const gone = new Error('gone')
  const conflictReads = { ...createConflictReads(), summaries: () => Promise.reject(gone) }
  const { event, summary } = await decide(record, {
    decisionWrites: createDecisionWrites({ ...service.deps, conflictReads }),
  })

  expect(event).toMatchObject({ payload: { state: 'queued-match', decidedBy: 'carol' }, version: { rev: 1 } })
  await expect(summary).rejects.toBe(gone)
  expect(await service.db.staffActions.countDocuments({})).toBe(1)
})
