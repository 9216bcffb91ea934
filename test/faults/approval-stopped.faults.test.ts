import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import { createCaller } from '../support/clients/caller.ts'
import { openTestBucket, type TestBucket } from '../support/processes/s3-bucket.ts'
import { type SpawnedService, spawnService } from '../support/processes/spawn-service.ts'
import { insertRequest, insertUser } from '../support/rows/rows.ts'
import { useDatabase } from '../support/service/use-database.ts'
import { useFolder } from '../support/service/use-folder.ts'
import { timeUnpaused } from '../support/service/watch-pauses.ts'
import { startImageHost } from '../support/stand-ins/image-host.ts'
import { type S3StandIn, startS3StandIn, stayMute } from '../support/stand-ins/s3-stand-in.ts'
import { listFiles } from '../support/tools/list-files.ts'

const JWT_SECRET = 'a secret of at least thirty-two characters'
const STOPPED = { status: 503, body: { statusCode: 503, message: 'Service Unavailable' } }
const WAIT = { timeout: 60_000, interval: 50 }

let dataDir: string
let running: SpawnedService | undefined
const host = await startImageHost()
beforeEach(async () => {
  dataDir = await useFolder()
})
afterEach(async () => {
  await running?.end('SIGKILL')
})
afterAll(() => host.close())

async function start(env: Record<string, string>): Promise<SpawnedService> {
  running = await spawnService({ DATA_DIR: dataDir, IMAGE_FETCH_ALLOW: host.place, ...env })
  await running.ready()
  return running
}

const countFiles = async () => (await listFiles(join(dataDir, 'files'))).length

async function beginApproval(db: Database, service: SpawnedService, payload: Record<string, unknown>) {
  const admin = createCaller({ ...service, user: await insertUser({ db, jwtSecret: JWT_SECRET }, CAROL) })
  const request = await insertRequest(db, { payload })
  const answer = admin.post(`/requests/${request._id.toHexString()}/decision`, { body: { decision: 'approve' } })
  return { admin, request, answer }
}
const CAROL = { userName: 'carol', isAdmin: true }

it('a stop during an approval rolls it back, releases its claim and ends in time', async () => {
  const { db, uri } = await useDatabase()
  const service = await start({ MONGODB_URI: uri, JWT_SECRET })
  const payload = { name: 'Halcyon', cover: host.link('held/1'), screenshots: [host.link('png/1')] }
  const { request, answer } = await beginApproval(db, service, payload)
  await vi.waitFor(
    async () => expect({ files: await countFiles(), held: host.held.size }).toEqual({ files: 1, held: 1 }),
    WAIT,
  )

  const { result, tookMs } = await timeUnpaused(() => Promise.all([service.end('SIGTERM'), answer]))
  const [code, refused] = result
  expect(code).toBe(0)
  expect(tookMs).toBeLessThan(10_000)
  expect(refused).toMatchObject(STOPPED)
  const left = await db.contentRequests.findOne({ _id: request._id })
  expect(left).toMatchObject({ status: 'pending', payload, pendingUploads: [] })
  expect(left).not.toHaveProperty('claimedAt')
  expect(await countFiles()).toBe(0)
  expect(await db.games.countDocuments()).toBe(0)
})

it('a stop while the storage is silent releases the claim, and the next start deletes the rest', async () => {
  const bucket: TestBucket = await openTestBucket()
  const standIn: S3StandIn = await startS3StandIn()
  const { db, uri } = await useDatabase()
  const env = { ...bucket.env, S3_ENDPOINT: standIn.endpoint, MONGODB_URI: uri, JWT_SECRET }
  const service = await start(env)
  const payload = { name: 'Halcyon', cover: host.link('held/2'), screenshots: [host.link('png/1')] }
  const { request, answer } = await beginApproval(db, service, payload)
  // A start stores an object of its own and deletes it, which the silence may prevent.
  const listUploads = async () => (await bucket.listKeys()).filter((key) => !key.includes(`/${'0'.repeat(24)}/`))
  await vi.waitFor(async () => expect(await listUploads()).toHaveLength(1), WAIT)
  await vi.waitFor(() => expect(host.held.size).toBe(1), WAIT)

  standIn.behaveAlways(stayMute)
  const uploads = standIn.requests.length
  host.release()
  await vi.waitFor(() => expect(standIn.requests.length).toBeGreaterThan(uploads), WAIT)
  const [code] = await Promise.all([service.end('SIGTERM'), answer.catch(() => undefined)])
  expect(code).toBe(0)
  const left = await db.contentRequests.findOne({ _id: request._id })
  expect(left).toMatchObject({ status: 'pending', pendingUploads: [expect.any(String), expect.any(String)] })
  expect(left).not.toHaveProperty('claimedAt')

  standIn.behaveAlways(undefined)
  const again = await start(env)
  await expect.poll(listUploads, WAIT).toEqual([])
  expect(await again.end('SIGTERM')).toBe(0)
  await standIn.close()
  bucket.close()
})
