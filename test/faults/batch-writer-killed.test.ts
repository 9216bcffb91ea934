import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { afterAll, expect, it, vi } from 'vitest'
import { createBatchWriter } from '../../lib/conflicts/writer/batch-writer.ts'
import { createdGameId } from '../../lib/conflicts/writer/find-decisions.ts'
import type { ConflictDocument } from '../../lib/db/collections/conflicts.ts'
import { filesFolder } from '../../lib/storage/local-storage.ts'
import type { FatalStep } from '../support/processes/run-writer.ts'
import { type SpawnedWriter, spawnWriter } from '../support/processes/spawn-writer.ts'
import { insertConflict, insertGame } from '../support/rows/rows.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { startService } from '../support/service/start-service.ts'
import { startIgdbStandIn } from '../support/stand-ins/igdb.ts'
import { startImageHost } from '../support/stand-ins/image-host.ts'

const uri = newDatabaseUri()
const dataDir = join(tmpdir(), `gamehall-writers-${randomUUID()}`)
const LIMITS = { pollMs: 50, leaseMs: 1_000 }

const igdb = await startIgdbStandIn({ perWindow: 10_000 })
const imageHost = await startImageHost()
const images = { IGDB_IMAGES_URL: imageHost.link('png'), IMAGE_FETCH_ALLOW: imageHost.place }
const env: Record<string, string> = { ...igdb.env, ...images, DATA_DIR: dataDir }
/** Goes on where a killed process left off. */
const service = await startService({ env, mongodbUri: uri })
afterAll(async () => {
  await service.close()
  await dropDatabase(uri)
  await rm(dataDir, { recursive: true, force: true, maxRetries: 5 })
  await Promise.all([igdb.close(), imageHost.close()])
})

let lastId = 0
const MATCHES = 10
const SKIPS = 6

interface Queued {
  matches: ConflictDocument[]
  skips: ConflictDocument[]
  /** A match that takes the entry from the game that its skip made. */
  moved: ConflictDocument
}

async function queueDecisions(): Promise<Queued> {
  const { db } = service
  const base = { source: 'igdb', decidedBy: { userId: new ObjectId(), userName: 'carol' } } as const
  const newEntry = () => {
    const id = ++lastId
    igdb.games.push({ id, name: `Entry ${id}`, cover: { id, image_id: `co${id}` } })
    igdb.characters.push({ id, name: `Hero ${id}`, games: [{ id }], mug_shot: { id, image_id: `ch${id}` } })
    return id
  }
  const skips: ConflictDocument[] = []
  for (let index = 0; index < SKIPS; index++) {
    skips.push(await insertConflict(db, { ...base, externalId: String(newEntry()), decision: 'skip' }))
  }
  const movedId = newEntry()
  const made = createdGameId({ source: 'igdb', externalId: String(movedId) })
  await insertGame(db, { _id: made, name: 'Made', igdb: { gameId: movedId } })
  const moved = {
    ...base,
    externalId: String(movedId),
    decision: 'match' as const,
    winner: await insertGame(db),
  }
  const matches: ConflictDocument[] = []
  for (let index = 0; index < MATCHES; index++) {
    const winner = await insertGame(db)
    matches.push(await insertConflict(db, { ...base, externalId: String(newEntry()), decision: 'match', winner }))
  }
  return { matches, skips, moved: await insertConflict(db, moved) }
}

const QUEUED = { status: 'pending', decision: { $ne: null } } as const
const idsOf = (records: readonly { externalId: string }[]) => records.map(({ externalId }) => externalId).sort()

/** Runs a writer of this process until nothing is queued. */
async function goOn(): Promise<string[]> {
  const applied: string[] = []
  const { deps } = service
  const conflicts = {
    ...deps.emit.conflicts,
    applied: ({ externalIds }: { externalIds: string[] }) => void applied.push(...externalIds),
  }
  const writer = createBatchWriter({ ...deps, emit: { ...deps.emit, conflicts } }, LIMITS)
  writer.start()
  await vi.waitFor(async () => expect(await service.db.conflicts.countDocuments(QUEUED)).toBe(0), {
    timeout: 60_000,
    interval: 50,
  })
  await writer.stop()
  return applied
}

async function expectAppliedOnce({ matches, skips, moved }: Queued): Promise<void> {
  const { db } = service
  const linked = async (externalId: string) =>
    (await db.games.find({ 'igdb.gameId': Number(externalId) }).toArray()).map(({ _id }) => _id)
  const recordOf = ({ _id }: ConflictDocument) => db.conflicts.findOne({ _id })

  for (const match of [...matches, moved]) {
    expect(await recordOf(match)).toMatchObject({ status: 'resolved', winner: match.winner, failure: null })
    expect(await linked(match.externalId)).toEqual([match.winner])
  }
  expect(await db.games.findOne({ _id: createdGameId(moved) })).not.toHaveProperty('igdb')
  for (const skip of skips) {
    const record = await recordOf(skip)
    expect(record).toMatchObject({ status: 'absent', failure: null })
    expect(await linked(skip.externalId)).toEqual([record?.winner])
    expect(await db.games.countDocuments({ name: `Entry ${skip.externalId}` })).toBe(1)
  }
  for (const { externalId } of [...matches, moved, ...skips]) {
    const heroes = await db.characters.find({ name: `Hero ${externalId}` }).toArray()
    expect(heroes).toMatchObject([{ gameIds: await linked(externalId) }])
  }
}

/** Every object belongs to something, and everything that names an object has it. */
async function expectNoOrphans(): Promise<void> {
  const { db, deps } = service
  const [games, characters] = await Promise.all([db.games.find().toArray(), db.characters.find().toArray()])
  const named = [...games.map(({ cover }) => cover), ...characters.map(({ mugShot }) => mugShot)]
  const files = await readdir(filesFolder(deps.config), { recursive: true, withFileTypes: true })
  const stored = files
    // A half-written file of a killed process is no object.
    .filter((file) => file.isFile() && !file.parentPath.endsWith('.drafts'))
    .map(
      (file) =>
        `${deps.config.publicUrl}/files${join(file.parentPath, file.name).slice(filesFolder(deps.config).length)}`,
    )

  expect(stored.sort()).toEqual(named.filter((url) => url !== undefined && url !== null).sort())
}

/** What the killed process had sent the database may still be carried out. */
const findLeft = () =>
  vi.waitFor(async () => {
    const before = await service.db.conflicts.find(QUEUED).toArray()
    await sleep(250)
    const after = await service.db.conflicts.find(QUEUED).toArray()
    expect(after).toEqual(before)
    return after
  }, 60_000)

const STEPS: Record<string, Omit<FatalStep, 'signal'>> = {
  'before its batch': { step: 'writer:batch', nth: 1 },
  'while it copies mug shots': { step: 'writer:mug-shots-copied', nth: 4 },
  'before a transaction': { step: 'writer:prepared', nth: 3 },
  'when the lease is written': { step: 'writer:prolonged', nth: 5 },
  'when the record is written': { step: 'writer:settled', nth: 9 },
  'when an entry is taken from one game, before it is given to the other': { step: 'writer:unlinked', nth: 1 },
  'when a game is linked': { step: 'writer:linked', nth: 4 },
  'when a game is made': { step: 'writer:created', nth: 2 },
  'when the characters of a game are written': { step: 'writer:characters-written', nth: 6 },
  'after a transaction, before it is announced': { step: 'writer:committed', nth: 5 },
}

it.each(Object.entries(STEPS))(
  'a writer that is killed %s leaves nothing undone, and nothing is done twice',
  async (_, step) => {
    const queued = await queueDecisions()
    const doomed: SpawnedWriter = spawnWriter({ uri, limits: LIMITS, fatal: { ...step, signal: 'SIGKILL' } }, env)
    const { signal, printed } = await doomed.ended
    expect({ signal, isThere: /^there$/m.test(printed) }).toEqual({ signal: 'SIGKILL', isThere: true })
    const left = await findLeft()
    expect(left.length).toBeGreaterThan(0)

    expect((await goOn()).sort()).toEqual(idsOf(left))
    await expectAppliedOnce(queued)
    await expectNoOrphans()
  },
  240_000,
)
