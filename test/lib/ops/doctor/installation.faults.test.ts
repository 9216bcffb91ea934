import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { CLAIM_TTL_MS } from '#lib/contract/limits'
import { DEMO_PASSWORD } from '#lib/domain/auth/demo-users'
import { hashPassword } from '#lib/domain/auth/passwords'
import { freePort } from '../../../support/processes/free-port.ts'
import { runCommand } from '../../../support/processes/run-command.ts'
import { runDoctor } from '../../../support/processes/run-doctor.ts'
import { useTestBucket } from '../../../support/processes/s3-bucket.ts'
import { spawnService } from '../../../support/processes/spawn-service.ts'
import { insertGame, insertRequest } from '../../../support/rows/rows.ts'
import { newKey, pngOf } from '../../../support/scenes/storage-scene.ts'
import { atEnd } from '../../../support/service/close-at-end.ts'
import { useService } from '../../../support/service/start-service.ts'
import { useFolder } from '../../../support/service/use-folder.ts'
import { startIgdbStandIn } from '../../../support/stand-ins/igdb.ts'

const SECRETS = { JWT_SECRET: 'a secret of at least thirty-two characters', METRICS_TOKEN: 'a-token-of-metrics' }
const bucket = await useTestBucket()
const igdb = await startIgdbStandIn()
atEnd(igdb.close)
const service = await useService({ env: { ...SECRETS, ...bucket.env } })
const folder = await useFolder()

const env = { MONGODB_URI: service.mongodbUri, DATA_DIR: folder, PORT: String(service.port), ...SECRETS }
const doctor = (about: string, more: Record<string, string> = {}) =>
  runDoctor(new RegExp(`^\\w+ +(${about})`), { ...env, ...bucket.env, ...more })
const runAlone = (args: string[], more: Record<string, string>) =>
  runCommand('doctor-command', args, { ...env, ...bucket.env, ...more }, folder)

const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://hall.example',
  CORS_ORIGINS: 'https://hall.example',
}

it('an image is stored in the bucket, read at its public address and deleted, which leaves nothing', async () => {
  const { bad, text } = await doctor('storage')
  expect(bad).toEqual([])
  expect(text).toContain(`ok    storage: images are read at ${bucket.env.S3_ENDPOINT}/${bucket.env.S3_BUCKET}/\n`)
  expect(await bucket.listKeys()).toEqual([])
})

it.each([
  ['a wrong secret', { AWS_SECRET_ACCESS_KEY: 'wrong-secret-of-storage' }, /refused a request to the bucket .*403/],
  ['an unknown bucket', { S3_BUCKET: 'nobody-made-this' }, /\(404 NoSuchBucket\)|\(403 AccessDenied\)/],
  ['no server', { S3_ENDPOINT: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1 cannot be reached \(ECONNREFUSED\)/],
  [
    'a public address without the images',
    { S3_PUBLIC_URL: service.baseUrl },
    /no image at http.*: the answer is 404; check S3_PUBLIC_URL/,
  ],
])('%s is a failure of the storage, which leaves nothing', async (_, more: Record<string, string>, message) => {
  const { code, stdout, stderr } = await runAlone([], more)
  expect({ code, bad: stdout.split('\n').filter((line) => /^(warn|fail) +storage/.test(line)) }).toEqual({
    code: 1,
    bad: [expect.stringMatching(message)],
  })
  expect(stdout + stderr).not.toContain('wrong-secret')
  expect(await bucket.listKeys()).toEqual([])
})

it('images without an object and objects without a document are found with --objects alone', async () => {
  const { storage } = service.deps
  const [kept, lost, forgotten] = [newKey(), newKey('screenshots'), newKey('artworks')]
  for (const key of [kept, forgotten]) await storage.put(key, { bytes: pngOf(), type: 'image/png' })
  const _id = await insertGame(service.db)
  await service.db.games.updateOne({ _id }, { $set: { cover: kept, screenshots: [lost] } })

  const { stdout } = await runAlone(['--objects'], {})
  expect(stdout).toContain(`fail  images without an object: ${lost}: restore them from a backup\n`)
  expect(stdout).toContain(`warn  objects without a document: ${forgotten}: they only take room, and may be deleted\n`)
  expect((await doctor('images|objects')).text).not.toContain('without an object')
  await service.db.games.deleteOne({ _id })
  await storage.delete([kept, forgotten])
})

it('a refused secret of a source is a failure, and a source that is away a warning; neither is shown', async () => {
  const stale = { ...igdb.env, IGDB_CLIENT_SECRET: 'stale-secret-of-igdb' }
  expect((await doctor('IGDB', igdb.env)).bad).toEqual([])
  const { bad, text } = await doctor('IGDB|VNDB', stale)
  expect(bad).toEqual([
    expect.stringMatching(/^warn {2}VNDB: the source could not be reached/),
    expect.stringMatching(/^fail {2}IGDB: .*: correct its credentials$/),
  ])
  expect(text).not.toContain('stale-secret')
})

it('an abandoned claim and demo users in production are warnings', async () => {
  const claimedAt = new Date(Date.now() - CLAIM_TTL_MS - 60_000)
  const { _id: running } = await insertRequest(service.db, { claimedAt: new Date() })
  const { _id: abandoned } = await insertRequest(service.db, { claimedAt })
  const [at, passwordHash] = [new Date(), await hashPassword(DEMO_PASSWORD)]
  const alice = { _id: new ObjectId(), userName: 'alice', email: 'alice@example.com', passwordHash }
  await service.db.users.insertOne({ ...alice, createdAt: at, updatedAt: at })

  expect((await doctor('claims|demo')).bad).toEqual([
    `warn  claims: the approvals of ${abandoned} were killed: approve or reject these requests again`,
  ])
  expect((await doctor('demo', PRODUCTION)).bad).toEqual([
    'warn  demo users: alice have a published password: npm run users -- delete <userName>',
  ])
  await service.db.contentRequests.deleteMany({ _id: { $in: [running, abandoned] } })
  await service.db.users.deleteOne({ _id: alice._id })
})

it.each([
  ['http://localhost:9000/b', /readers cannot reach http:\/\/localhost/],
  ['https://10.1.2.3/b', /readers cannot reach/],
  ['http://minio:9000/b', /readers cannot reach/],
  ['http://images.example/b', /pages of https show no images/],
])('S3_PUBLIC_URL=%s in production under https is a warning', async (S3_PUBLIC_URL, message) => {
  expect((await doctor('settings', { ...PRODUCTION, S3_PUBLIC_URL })).bad).toEqual([expect.stringMatching(message)])
})

it('invalid settings are named one a line, and nothing else is looked at', async () => {
  const { code, stdout } = await runAlone([], { ...PRODUCTION, PORT: 'x', JWT_SECRET: 'short', CORS_ORIGINS: '' })
  expect({ code, lines: stdout.trim().split('\n') }).toEqual({
    code: 1,
    lines: [
      'fail  start: PORT must be a whole number from 0 to 65535',
      'fail  start: CORS_ORIGINS is required in production',
      'fail  start: JWT_SECRET must have at least 32 characters',
    ],
  })
})

it('a secret comes from the file that its name with _FILE says; a missing file and both at once are refused', async () => {
  const file = join(folder, 'uri')
  await writeFile(file, `${service.mongodbUri}\n`)
  const { MONGODB_URI, ...others } = env
  const run = (more: Record<string, string>) => runDoctor(/^\w+ +(start|database:)/, { ...others, ...more })
  const read = await run({ MONGODB_URI_FILE: file })
  expect(read.bad).toEqual([])
  expect(read.text).toContain(' answers\n')
  expect((await run({ MONGODB_URI_FILE: join(folder, 'none') })).bad).toEqual([
    expect.stringMatching(/^fail {2}start: MONGODB_URI_FILE cannot be read: ENOENT/),
  ])
  expect((await run({ MONGODB_URI, MONGODB_URI_FILE: file })).bad).toEqual([
    'fail  start: MONGODB_URI and MONGODB_URI_FILE are both set: leave one out',
  ])
})

it('an .env that production leaves unread is a warning, and one that development reads is none', async () => {
  await writeFile(join(folder, '.env'), 'TRUST_PROXY=1\n')
  const run = async (more: Record<string, string>) => (await runAlone([], more)).stdout
  expect(await run(PRODUCTION)).toMatch(/^warn {2}settings file: \.env is ignored in production: /m)
  expect(await run({})).toMatch(/^ok {4}settings file: /m)
  expect(await run({ ...PRODUCTION, PUBLIC_URL: '' })).toMatch(
    /^fail {2}start: PUBLIC_URL is required .*\nfail {2}start: \.env is ignored in production$/m,
  )
})

it('a start logs what the doctor finds without a secret: storage that refuses, and where readers find no images', async () => {
  const wrong = { AWS_SECRET_ACCESS_KEY: 'wrong-secret-of-storage', S3_PUBLIC_URL: 'http://localhost:9000/b' }
  const started = await spawnService({ ...env, ...PRODUCTION, ...bucket.env, ...wrong, PORT: String(await freePort()) })
  await started.ready()
  const lines = () =>
    started
      .output()
      .split('\n')
      .filter((line) => line.includes('"check":'))
  await vi.waitUntil(() => lines().some((line) => line.includes('"storage"')), { timeout: 30_000 })
  await started.end('SIGTERM')
  expect(lines()).toContainEqual(expect.stringMatching(/"level":"warn".*"check":"storage","msg":".*refused a request/))
  expect(lines()).toContainEqual(expect.stringMatching(/"check":"settings of images","msg":"S3_PUBLIC_URL: readers/))
  expect(started.output()).not.toContain('wrong-secret')
})
