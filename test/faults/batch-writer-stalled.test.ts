import { type ChangeStreamDocument, ObjectId } from 'mongodb'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import type { ConflictDocument } from '../../lib/db/collections/conflicts.ts'
import type { GameDocument } from '../../lib/db/collections/games.ts'
import { openDatabase, prepareDatabase } from '../../lib/db/connect.ts'
import type { FatalStep, WriterProgram } from '../support/processes/run-writer.ts'
import { type SpawnedWriter, spawnWriter } from '../support/processes/spawn-writer.ts'
import { newConflict } from '../support/rows/rows.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { startVndbStandIn } from '../support/stand-ins/vndb.ts'

const uri = newDatabaseUri()
const LIMITS = { pollMs: 50, leaseMs: 2_500 }
const DECISIONS = 150
const WAIT = { timeout: 90_000, interval: 50 }

const vndb = await startVndbStandIn()
await prepareDatabase(uri)
const db = openDatabase(uri)
afterAll(async () => {
  await dropDatabase(uri)
  await db.close()
  await vndb.close()
})

let running: SpawnedWriter[] = []
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.map(({ ended }) => ended))
  running = []
})
function start(program: WriterProgram): SpawnedWriter {
  const writer = spawnWriter(program, vndb.env)
  running.push(writer)
  return writer
}

/** Two matches and a skip by turns, all of one time. */
async function queueDecisions(): Promise<ConflictDocument[]> {
  await Promise.all([db.conflicts.deleteMany({}), db.games.deleteMany({})])
  const now = new Date()
  const records = Array.from({ length: DECISIONS }, (_, index) => {
    const externalId = `v${index + 1}`
    const decided: Partial<ConflictDocument> =
      index % 3 === 2 ? { decision: 'skip' } : { decision: 'match', winner: new ObjectId() }
    const names = { source: 'vndb' as const, externalId, externalName: externalId }
    const decidedBy = { userId: new ObjectId(), userName: 'carol' }
    return newConflict({ ...names, ...decided, decidedBy, createdAt: now, updatedAt: now })
  })
  vndb.put(...records.map(({ externalId }) => ({ id: externalId, title: `Novel ${externalId}` })))
  const games = records.flatMap(({ winner, externalId }): GameDocument[] =>
    winner ? [{ _id: winner, name: 'Chosen', slug: `chosen-${externalId}`, createdAt: now, updatedAt: now }] : [],
  )
  await db.games.insertMany(games)
  await db.conflicts.insertMany(records)
  return records
}

/** Counts how often the link of each game is written from now on. */
async function watchLinks() {
  const writes = new Map<string, number>()
  const stream = db.games.watch()
  const noteChange = (change: ChangeStreamDocument<GameDocument>) => {
    const isInsert = change.operationType === 'insert'
    const isLink = change.operationType === 'update' && 'vndb' in (change.updateDescription.updatedFields ?? {})
    if (!isInsert && !isLink) return
    const id = change.documentKey._id.toHexString()
    writes.set(id, (writes.get(id) ?? 0) + 1)
  }
  // The first look opens it.
  const first = await stream.tryNext()
  if (first !== null) noteChange(first)
  const follow = async () => {
    for await (const change of stream) noteChange(change)
  }
  // That it is closed is an error to whoever waits for the next change.
  const followed = follow().catch((error: unknown) => {
    if (!stream.closed) throw error
  })
  return {
    writes,
    async close() {
      await stream.close()
      await followed
    },
  }
}

const holderNow = async () => (await db.leases.findOne({ _id: 'conflicts/vndb' }))?.holder
const countQueued = () => db.conflicts.countDocuments({ status: 'pending' })

const STEPS: Record<string, Omit<FatalStep, 'signal'>> = {
  'before its batch': { step: 'writer:batch', nth: 1 },
  'before a transaction': { step: 'writer:prepared', nth: 40 },
  'in a transaction, with the lease written': { step: 'writer:prolonged', nth: 40 },
  'in a transaction, with the record written': { step: 'writer:settled', nth: 30 },
  'in a transaction, with a game linked': { step: 'writer:linked', nth: 30 },
  'in a transaction, with a game made': { step: 'writer:created', nth: 20 },
  'after a transaction': { step: 'writer:committed', nth: 50 },
}

it.each(Object.entries(STEPS))(
  'a writer that stands still %s and goes on after another has taken over writes nothing of its own',
  async (_, step) => {
    const records = await queueDecisions()
    const watch = await watchLinks()
    const stalled = start({ uri, limits: LIMITS, fatal: { ...step, signal: 'SIGSTOP' } })
    await stalled.printed(/^there$/m)
    const stalledHolder = await holderNow()
    expect(await countQueued()).toBeGreaterThanOrEqual(DECISIONS - 100)
    const next = start({ uri, limits: LIMITS })
    // In the middle of the batches of the other one, which has claimed the decisions of the first one.
    await next.printed(/^applied /m)
    expect(await holderNow()).not.toBe(stalledHolder)
    stalled.child.kill('SIGCONT')
    await vi.waitFor(async () => expect(await countQueued()).toBe(0), WAIT)
    const ids = records.map(({ externalId }) => externalId).sort()
    await vi.waitFor(() => expect([...stalled.applied(), ...next.applied()].sort()).toEqual(ids), WAIT)
    for (const { child } of [stalled, next]) child.kill('SIGTERM')
    expect((await Promise.all([stalled.ended, next.ended])).map(({ code }) => code)).toEqual([0, 0])

    const stored = new Map((await db.conflicts.find().toArray()).map((record) => [record.externalId, record]))
    const games = await db.games.find({ 'vndb.vnId': { $exists: true } }).toArray()
    expect(games.map(({ vndb: part }) => part?.vnId).sort()).toEqual(records.map(({ externalId }) => externalId).sort())
    expect(await db.games.countDocuments()).toBe(DECISIONS)
    for (const game of games) {
      const record = stored.get(String(game.vndb?.vnId))
      expect(record?.winner).toEqual(game._id)
      expect(record?.status).toBe(record?.decision === 'match' ? 'resolved' : 'absent')
    }
    await vi.waitFor(() => expect(watch.writes.size).toBe(DECISIONS), WAIT)
    expect(new Set(watch.writes.values())).toEqual(new Set([1]))
    await watch.close()
  },
  240_000,
)
