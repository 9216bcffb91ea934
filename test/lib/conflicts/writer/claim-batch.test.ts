import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { applyDecision } from '../../../../lib/conflicts/writer/apply-decision.ts'
import { claimBatch, isAnythingQueued, updateIfClaimed } from '../../../../lib/conflicts/writer/claim-batch.ts'
import { loadDecisions } from '../../../../lib/conflicts/writer/load-decisions.ts'
import type { ConflictDocument } from '../../../../lib/db/collections/conflicts.ts'
import { profile } from '../../../support/clients/profile.ts'
import { insertGame } from '../../../support/rows/rows.ts'
import { startWriterScene, type WriterScene } from '../../../support/scenes/writer-scene.ts'

let scene: WriterScene
beforeAll(async () => {
  scene = await startWriterScene({ isWriting: false })
})
afterAll(() => scene.close())
beforeEach(() => scene.service.db.conflicts.deleteMany({}))

const take = (fencingToken: number, size = 100) =>
  claimBatch(scene.service.deps, { source: 'vndb', fencingToken, size })
const idsOf = (records: readonly ConflictDocument[]) => records.map(({ externalId }) => externalId)

describe('claimBatch', () => {
  test('heeds the token of the last release under its old name, and replaces it', async () => {
    const record = await scene.queue({ source: 'vndb', externalId: 'v1', fence: 7 })

    expect(await take(6)).toEqual([])
    expect(await take(8)).toHaveLength(1)
    expect(await scene.read(record)).toMatchObject({ fencingToken: 8 })
    expect(await scene.read(record)).not.toHaveProperty('fence')
  })

  test('takes queued decisions of its source alone, oldest first, at most as many as it is told', async () => {
    const at = (second: number) => ({ createdAt: new Date(Date.UTC(2020, 0, 1, 0, 0, second)) })
    await scene.queue({ source: 'vndb', externalId: 'v3', ...at(3) })
    await scene.queue({ source: 'vndb', externalId: 'v1', decision: 'skip', ...at(1) })
    await scene.queue({ source: 'vndb', externalId: 'v2', ...at(2) })
    await scene.queue({ source: 'vndb', externalId: 'waiting', decision: null, ...at(0) })
    await scene.queue({ source: 'vndb', externalId: 'matched', status: 'resolved', ...at(0) })
    await scene.queue({ source: 'vndb', externalId: 'skipped', status: 'absent', decision: 'skip', ...at(0) })
    await scene.queue({ source: 'igdb', externalId: '1', ...at(0) })

    expect(idsOf(await take(1, 2))).toEqual(['v1', 'v2'])
    expect(idsOf(await take(2))).toEqual(['v1', 'v2', 'v3'])
  })

  test('leaves to a later holder what that one has taken', async () => {
    const record = await scene.queue({ source: 'vndb', externalId: 'v1' })
    expect(await take(7)).toHaveLength(1)

    expect(await take(6)).toEqual([])
    expect(await scene.read(record)).toMatchObject({ fencingToken: 7 })
    expect(await take(7)).toHaveLength(1)
  })

  test('an earlier holder writes neither game nor record once a later one has taken them', async () => {
    scene.vndb.put({ id: 'v1', title: 'Theirs' })
    const winner = await insertGame(scene.service.db, { name: 'Chosen' })
    const made = await insertGame(scene.service.db, { name: 'Made', vndb: { vnId: 'v1' } })
    const stored = await scene.queue({ source: 'vndb', externalId: 'v1', winner, createdGameId: made })
    const [record] = await take(1)
    if (record === undefined) throw new Error('one was queued')
    const reading = loadDecisions(scene.service.deps, {
      source: 'vndb',
      records: [record],
      signal: new AbortController().signal,
    })
    const { value } = await reading.next()
    const entry = value?.[0]?.entry
    if (!entry || entry instanceof Error) throw new Error('the entry is there')
    await take(2)

    const before = await Promise.all([scene.game(winner), scene.game(made)])
    const { resolved } = entry
    const signal = new AbortController().signal
    const applied = await applyDecision(scene.service.deps, { record, resolved, imagesMs: 60_000, signal })
    expect(applied.outcome).not.toBe('written')
    expect(await Promise.all([scene.game(winner), scene.game(made)])).toEqual(before)
    expect(await updateIfClaimed(scene.service.deps, { record, set: { status: 'resolved' } })).toBe(false)
    expect(await scene.read(stored)).toMatchObject({ status: 'pending', decision: 'match', fencingToken: 2 })
  })

  test('reads the index of queued decisions, however many wait undecided', async () => {
    const now = new Date()
    const undecided = Array.from(
      { length: 1_500 },
      (_, index): ConflictDocument => ({
        _id: new ObjectId(),
        source: 'vndb',
        externalId: `w${index}`,
        externalName: 'W',
        status: 'pending',
        decision: null,
        createdAt: now,
        updatedAt: now,
      }),
    )
    await scene.service.db.conflicts.insertMany(undecided)
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        scene.queue({ source: 'vndb', externalId: `v${index}`, decision: index % 2 ? 'match' : 'skip' }),
      ),
    )
    const commands = await profile(scene.service.db, 'conflicts', async () => {
      expect(await isAnythingQueued(scene.service.deps, { source: 'vndb' })).toBe(true)
      expect(await isAnythingQueued(scene.service.deps, { source: 'ra' })).toBe(false)
      expect(await take(1, 10)).toHaveLength(10)
    })

    expect(commands.length).toBeGreaterThan(3)
    for (const { planSummary, keysExamined, docsExamined } of commands) {
      expect(planSummary).toMatch(/^IXSCAN/)
      expect(keysExamined).toBeLessThan(50)
      expect(docsExamined).toBeLessThan(25)
    }
  })
})
