import { type ChangeStreamDocument, ObjectId } from 'mongodb'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import type { ConflictDocument } from '../../lib/db/collections/conflicts.ts'
import type { GameDocument } from '../../lib/db/collections/games.ts'
import { type Database, openDatabase, prepareDatabase } from '../../lib/db/connect.ts'
import type { FatalPoint, WriterProgram } from '../support/processes/run-writer.ts'
import { type SpawnedWriter, spawnWriter } from '../support/processes/spawn-writer.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { startVndbStandIn, type VndbStandIn } from '../support/stand-ins/vndb.ts'

const uri = newDatabaseUri()
const LIMITS = { pollMs: 50, leaseMs: 2_500 }
const DECISIONS = 300
const PATIENCE = { timeout: 90_000, interval: 50 }

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
  const records = Array.from({ length: DECISIONS }, (_, index): ConflictDocument => {
    const externalId = `v${index + 1}`
    return {
      ...{ _id: new ObjectId(), source: 'vndb', externalId, externalName: externalId, createdAt: now, updatedAt: now },
      ...{ status: 'pending', decidedBy: { userId: new ObjectId(), userName: 'carol' } },
      ...(index % 3 === 2 ? { decision: 'skip' } : { decision: 'match', winner: new ObjectId() }),
    }
  })
  vndb.put(...records.map(({ externalId }) => ({ id: externalId, title: `Novel ${externalId}` })))
  const games = records.flatMap(({ winner, externalId }): GameDocument[] =>
    winner ? [{ _id: winner, name: 'Chosen', slug: `chosen-${externalId}`, createdAt: now, updatedAt: now }] : [],
  )
  await db.games.insertMany(games)
  await db.conflicts.insertMany(records)
  return records
}

/** Follows under which fences each game is written from now on, in the order of the writes. */
async function watchFences() {
  const fences = new Map<string, number[]>()
  const stream = db.games.watch()
  const note = (id: ObjectId, fence: unknown) => {
    if (typeof fence !== 'number') return
    fences.set(id.toHexString(), [...(fences.get(id.toHexString()) ?? []), fence])
  }
  const noteChange = (change: ChangeStreamDocument<GameDocument>) => {
    if (change.operationType === 'insert') note(change.documentKey._id, change.fullDocument.fences?.vndb)
    if (change.operationType !== 'update') return
    // A field of its own, or within the whole.
    const { fences: whole, 'fences.vndb': own }: Record<string, unknown> = change.updateDescription.updatedFields ?? {}
    note(change.documentKey._id, own ?? (whole as GameDocument['fences'])?.vndb)
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
    fences,
    async close() {
      await stream.close()
      await followed
    },
  }
}

const fenceNow = async () => (await db.leases.findOne({ _id: 'conflicts/vndb' }))?.fence ?? 0
const countQueued = () => db.conflicts.countDocuments({ status: 'pending' })

const POINTS: Record<string, Omit<FatalPoint, 'signal'>> = {
  'before it links a game': { collection: 'games', method: 'findOneAndUpdate', nth: 40, when: 'before' },
  'before it makes a game': { collection: 'games', method: 'insertOne', nth: 20, when: 'before' },
  'between a game and its record': { collection: 'conflicts', method: 'updateOne', nth: 50, when: 'before' },
}

it.each(Object.entries(POINTS))(
  'a writer that stands still %s and goes on after another has taken over writes nothing of its own',
  async (_, point) => {
    const records = await queueDecisions()
    const watch = await watchFences()
    const stalled = start({ uri, limits: LIMITS, point: { ...point, signal: 'SIGSTOP' } })
    await stalled.printed(/^point$/m)
    const stalledFence = await fenceNow()
    expect(await countQueued()).toBeGreaterThan(DECISIONS - 100)
    const next = start({ uri, limits: LIMITS })
    // In the middle of the batches of the other one, which has taken what the first one has in hand.
    await next.printed(/^applied /m)
    expect(await fenceNow()).toBeGreaterThan(stalledFence)
    stalled.child.kill('SIGCONT')
    await vi.waitFor(async () => expect(await countQueued()).toBe(0), PATIENCE)
    const ids = records.map(({ externalId }) => externalId).sort()
    await vi.waitFor(() => expect([...stalled.applied(), ...next.applied()].sort()).toEqual(ids), PATIENCE)
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
      expect(game.fences?.vndb).toBe(record?.fence)
    }
    await vi.waitFor(() => expect(watch.fences.size).toBe(DECISIONS), PATIENCE)
    for (const seen of watch.fences.values()) expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    await watch.close()
  },
  240_000,
)
