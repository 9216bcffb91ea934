import { type ChangeStreamDocument, ObjectId } from 'mongodb'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { ConflictDocument } from '../../lib/db/collections/conflicts.ts'
import type { GameDocument } from '../../lib/db/collections/games.ts'
import { type Database, openDatabase, prepareDatabase } from '../../lib/db/connect.ts'
import type { FatalStep, WriterProgram } from '../support/processes/run-writer.ts'
import { type SpawnedWriter, spawnWriter } from '../support/processes/spawn-writer.ts'
import { newConflict } from '../support/rows/rows.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { startVndbStandIn, type VndbStandIn } from '../support/stand-ins/vndb.ts'

const uri = newDatabaseUri()
const LIMITS = { pollMs: 50, leaseMs: 2_500 }
const DECISIONS = 300
const WAIT = { timeout: 90_000, interval: 50 }

let db: Database
let vndb: VndbStandIn
beforeAll(async () => {
  vndb = await startVndbStandIn()
  await prepareDatabase(uri)
  db = openDatabase(uri)
})
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

/** Follows under which fencing tokens each game is written from now on, in the order of the writes. */
async function watchTokens() {
  const fencingTokens = new Map<string, number[]>()
  const stream = db.games.watch()
  const note = (id: ObjectId, token: unknown) => {
    if (typeof token !== 'number') return
    fencingTokens.set(id.toHexString(), [...(fencingTokens.get(id.toHexString()) ?? []), token])
  }
  const noteChange = (change: ChangeStreamDocument<GameDocument>) => {
    if (change.operationType === 'insert') note(change.documentKey._id, change.fullDocument.fencingTokens?.vndb)
    if (change.operationType !== 'update') return
    // A field of its own, or within the whole.
    const { fencingTokens: whole, 'fencingTokens.vndb': own }: Record<string, unknown> =
      change.updateDescription.updatedFields ?? {}
    note(change.documentKey._id, own ?? (whole as GameDocument['fencingTokens'])?.vndb)
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
    fencingTokens,
    async close() {
      await stream.close()
      await followed
    },
  }
}

const tokenNow = async () => (await db.leases.findOne({ _id: 'conflicts/vndb' }))?.fencingToken ?? 0
const countQueued = () => db.conflicts.countDocuments({ status: 'pending' })

const STEPS: Record<string, Omit<FatalStep, 'signal'>> = {
  'before it links a game': { step: 'writer:link', nth: 40 },
  'before it makes a game': { step: 'writer:create', nth: 20 },
  'between a game and its record': { step: 'writer:settle', nth: 50 },
}

it.each(Object.entries(STEPS))(
  'a writer that stands still %s and goes on after another has taken over writes nothing of its own',
  async (_, step) => {
    const records = await queueDecisions()
    const watch = await watchTokens()
    const stalled = start({ uri, limits: LIMITS, fatal: { ...step, signal: 'SIGSTOP' } })
    await stalled.printed(/^there$/m)
    const stalledToken = await tokenNow()
    expect(await countQueued()).toBeGreaterThan(DECISIONS - 100)
    const next = start({ uri, limits: LIMITS })
    // In the middle of the batches of the other one, which has claimed the decisions of the first one.
    await next.printed(/^applied /m)
    expect(await tokenNow()).toBeGreaterThan(stalledToken)
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
      expect(game.fencingTokens?.vndb).toBe(record?.fencingToken)
    }
    await vi.waitFor(() => expect(watch.fencingTokens.size).toBe(DECISIONS), WAIT)
    for (const seen of watch.fencingTokens.values()) expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    await watch.close()
  },
  240_000,
)
