import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it, vi } from 'vitest'
import { openDatabase, prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { type SpawnedService, spawnService } from '../support/processes/spawn-service.ts'
import { insertConflict } from '../support/rows/rows.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { dropDatabase } from '../support/service/drop-database.ts'
import { startVndbStandIn, type VndbStandIn } from '../support/stand-ins/vndb.ts'

const uri = newDatabaseUri()
const dataDir = join(tmpdir(), `gamehall-instances-${randomUUID()}`)
const WAIT = { timeout: 60_000, interval: 50 }

let running: SpawnedService[] = []
/** A stand-in for each service, so that the test knows which of them works. */
const standIns: [VndbStandIn, VndbStandIn] = [await startVndbStandIn(), await startVndbStandIn()]
await prepareDatabase(uri)
const db = openDatabase(uri)
afterEach(async () => {
  await Promise.all(running.map((service) => service.end('SIGKILL')))
  running = []
})
afterAll(async () => {
  await dropDatabase(uri)
  await db.close()
  await Promise.all(standIns.map((standIn) => standIn.close()))
  await rm(dataDir, { recursive: true, force: true })
})

async function start(standIn: VndbStandIn): Promise<SpawnedService> {
  const service = await spawnService({
    ...standIn.env,
    MONGODB_URI: uri,
    JWT_SECRET: 'a secret of at least thirty-two characters',
    LOG_LEVEL: 'error',
    DATA_DIR: dataDir,
  })
  running.push(service)
  await service.ready()
  return service
}

let lastId = 0
async function queueNovels(count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => `v${++lastId}`)
  for (const externalId of ids) {
    for (const standIn of standIns) standIn.put({ id: externalId, title: `Novel ${externalId}` })
    await insertConflict(db, { source: 'vndb', externalId, decision: 'skip' })
  }
  return ids
}

const leaseNow = async () =>
  (await db.leases.findOne({ _id: 'conflicts/vndb' })) ?? { holder: undefined, until: new Date(0) }

async function expectApplied(ids: readonly string[]): Promise<void> {
  await vi.waitFor(
    async () =>
      expect(await db.conflicts.countDocuments({ externalId: { $in: [...ids] }, status: 'absent' })).toBe(ids.length),
    WAIT,
  )
  const games = await db.games.find({ 'vndb.vnId': { $in: [...ids] } }).toArray()
  expect(games.map(({ vndb: part }) => part?.vnId).sort()).toEqual([...ids].sort())
}

it('the second instance continues within 20 seconds when the writing one is killed', async () => {
  const pairs = await Promise.all(
    standIns.map(async (standIn) => ({ standIn, release: standIn.hold(), service: await start(standIn) })),
  )
  const ids = await queueNovels(5)
  const findAtWork = () => pairs.find(({ standIn }) => standIn.requests.length > 0)
  const atWork = await vi.waitUntil(findAtWork, WAIT)
  const { holder } = await leaseNow()
  await atWork.service.end('SIGKILL')
  const killedAt = Date.now()
  for (const { release } of pairs) release()

  await vi.waitUntil(async () => (await leaseNow()).holder !== holder, WAIT)
  expect(Date.now() - killedAt).toBeLessThan(20_000)
  await expectApplied(ids)
})
