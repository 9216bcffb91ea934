import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { readConfig } from '../../lib/base/config.ts'
import type { ConflictsApplied } from '../../lib/contract/namespaces/conflicts.ts'
import { createdGameId } from '../../lib/domain/conflicts/writer/find-decisions.ts'
import type { ConflictDocument } from '../../lib/infrastructure/db/collections/conflicts.ts'
import { type Database, openDatabase, prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { filesFolder } from '../../lib/infrastructure/storage/local-storage.ts'
import type { FatalStep } from '../support/processes/run-job.ts'
import type { Started } from '../support/processes/start-program.ts'
import { startTestProgram } from '../support/processes/test-programs.ts'
import { insertConflict, insertGame } from '../support/rows/rows.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { startIgdbStandIn } from '../support/stand-ins/igdb.ts'
import { startImageHost } from '../support/stand-ins/image-host.ts'
import { listFiles } from '../support/tools/list-files.ts'

const LIMITS = { pollMs: 200, leaseMs: 600, size: 8 }
const WAIT = { timeout: 90_000, interval: 50 }
const QUEUED = { status: 'pending', decision: { $ne: null } } as const

const at = (name: string, nth: number, signal: FatalStep['signal']): FatalStep => ({
  step: `writer:${name}`,
  nth,
  signal,
})

/** Writers end at these steps, one after another. One decision alone takes an entry from a game, so its step comes first. */
const FATAL_STEPS = [
  at('unlinked', 1, 'SIGKILL'),
  at('batch', 1, 'SIGKILL'),
  at('mug-shots-copied', 2, 'SIGKILL'),
  ...['prepared', 'prolonged', 'settled', 'linked', 'created', 'characters-written', 'committed'].map((name) =>
    at(name, 2, 'SIGKILL'),
  ),
  ...['batch', 'prepared', 'settled', 'committed'].map((name) => at(name, name === 'batch' ? 1 : 2, 'SIGSTOP')),
]
const DECISIONS = 50

const igdb = await startIgdbStandIn({ perWindow: 10_000 })
const imageHost = await startImageHost()
const running: Started[] = []
afterEach(async () => {
  for (const { child } of running) child.kill('SIGKILL')
  await Promise.all(running.splice(0).map(({ ended }) => ended))
})
afterAll(() => Promise.all([igdb.close(), imageHost.close()]))

let lastId = 0

/** Two matches and a skip by turns; the first match takes the entry from the game that its skip made. */
async function queueDecisions(db: Database): Promise<ConflictDocument[]> {
  const records: ConflictDocument[] = []
  for (let index = 0; index < DECISIONS; index++) {
    const id = ++lastId
    igdb.games.push({ id, name: `Entry ${id}`, cover: { id, image_id: `co${id}` } })
    igdb.characters.push({ id, name: `Hero ${id}`, games: [{ id }], mug_shot: { id, image_id: `ch${id}` } })
    const facts = {
      source: 'igdb',
      externalId: String(id),
      decidedBy: { userId: new ObjectId(), userName: 'carol' },
    } as const
    if (index === 0) await insertGame(db, { _id: createdGameId(facts), name: 'Made', igdb: { gameId: id } })
    const choice =
      index % 3 === 2 ? { decision: 'skip' as const } : { decision: 'match' as const, winner: await insertGame(db) }
    records.push(await insertConflict(db, { ...facts, ...choice }))
  }
  return records
}

async function expectAppliedOnce(db: Database, records: readonly ConflictDocument[]): Promise<void> {
  for (const { _id, externalId, decision, winner } of records) {
    const status = decision === 'match' ? 'resolved' : 'absent'
    const record = await db.conflicts.findOne({ _id })
    expect(record).toMatchObject({ status, failure: null, ...(winner && { winner }) })
    const games = await db.games.find({ 'igdb.gameId': Number(externalId) }).toArray()
    expect(games.map((game) => game._id)).toEqual([record?.winner])
    if (decision === 'skip') expect(await db.games.countDocuments({ name: `Entry ${externalId}` })).toBe(1)
    const heroes = await db.characters.find({ name: `Hero ${externalId}` }).toArray()
    expect(heroes).toMatchObject([{ gameIds: [record?.winner] }])
  }
}

/** Every object belongs to something, and everything that names an object has it. */
async function expectNoOrphans(db: Database, env: Record<string, string>): Promise<void> {
  const [games, characters] = await Promise.all([db.games.find().toArray(), db.characters.find().toArray()])
  const named = [...games.map(({ cover }) => cover), ...characters.map(({ mugShot }) => mugShot)]
  const files = await listFiles(filesFolder(readConfig(env)))
  // A half-written file of a killed process is no object.
  const stored = files.filter((file) => !file.startsWith('.drafts/'))
  expect(stored).toEqual(named.filter((key) => key !== undefined && key !== null).sort())
}

/** Entries of the batches that a writer announced so far. */
const appliedBy = (writer: Started) =>
  Array.from(writer.text().matchAll(/^applied (.+)$/gm)).flatMap(([, json = '']) => {
    const { externalIds }: ConflictsApplied = JSON.parse(json)
    return externalIds
  })

/** Reads the queue once nothing changes it: the database may still carry out commands of an ended process. */
const findLeft = (db: Database) =>
  vi.waitFor(async () => {
    const find = async () => (await db.conflicts.find(QUEUED).toArray()).map(({ externalId }) => externalId)
    const before = await find()
    await sleep(250)
    expect(await find()).toEqual(before)
    return before
  }, WAIT)

it('killed and frozen writers leave nothing undone and nothing done twice', async () => {
  const uri = newDatabaseUri()
  await prepareDatabase(uri)
  const db = openDatabase(uri)
  const dataDir = join(tmpdir(), `gamehall-writers-${randomUUID()}`)
  const images = { IGDB_IMAGES_URL: imageHost.link('png'), IMAGE_FETCH_ALLOW: imageHost.place }
  const env = { ...igdb.env, ...images, DATA_DIR: dataDir, PORT: '0' }
  const records = await queueDecisions(db)
  const links = db.games.watch()
  // Opens it.
  expect(await links.tryNext()).toBeNull()
  const start = (fatal?: FatalStep) => {
    const writer = startTestProgram('run-job', { uri, batchLimits: LIMITS, ...(fatal && { fatal }) }, env)
    running.push(writer)
    return writer
  }

  let left = await findLeft(db)
  /** The entries that no killed process can have announced. */
  const unannounced = new Set(left)
  for (const fatal of FATAL_STEPS) {
    const writer = start(fatal)
    await writer.printed(/^there$/m)
    const before = left
    left = await findLeft(db)
    if (fatal.signal === 'SIGSTOP') continue
    expect(await writer.ended).toMatchObject({ signal: 'SIGKILL' })
    for (const id of before) if (!left.includes(id)) unannounced.delete(id)
  }
  expect(left.length).toBeGreaterThan(LIMITS.size)
  const last = start()
  // The batches of the last writer now hold the decisions of the frozen ones.
  await last.printed(/^applied /m)
  const alive = running.filter(({ child }) => child.signalCode === null)
  for (const { child } of alive) child.kill('SIGCONT')
  await vi.waitFor(async () => expect(await db.conflicts.countDocuments(QUEUED)).toBe(0), WAIT)
  const announced = () => running.flatMap(appliedBy)
  await vi.waitFor(() => expect(announced()).toEqual(expect.arrayContaining([...unannounced])), WAIT)
  expect(new Set(announced()).size).toBe(announced().length)
  for (const { child } of alive) child.kill('SIGTERM')
  const codes = await Promise.all(alive.map((writer) => writer.ended.then(({ code }) => code)))
  expect(new Set(codes)).toEqual(new Set([0]))

  await expectAppliedOnce(db, records)
  await expectNoOrphans(db, env)
  const end = await insertGame(db)
  const linked: string[] = []
  for await (const change of links) {
    if (change.operationType === 'insert' && change.documentKey._id.equals(end)) break
    const isLink = change.operationType === 'update' && 'igdb' in (change.updateDescription.updatedFields ?? {})
    if (isLink || change.operationType === 'insert') linked.push(change.documentKey._id.toHexString())
  }
  expect(linked).toHaveLength(DECISIONS)
  expect(new Set(linked).size).toBe(DECISIONS)

  await db.close()
  await dropDatabase(uri)
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
})
