import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Readable, Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Binary, Decimal128, Double, Int32, Long, MongoClient, ObjectId, Timestamp } from 'mongodb'
import { extract, type Header, pack } from 'tar-stream'
import { beforeAll, expect, it } from 'vitest'
import { connectionName, prepareDatabase } from '#lib/infrastructure/db/connect'
import { checkFile } from '#lib/ops/backup/archive'
import { writeBackup } from '#lib/ops/backup/write-backup'
import { createCaller } from '../../../support/clients/caller.ts'
import { usePrivateMongo } from '../../../support/processes/private-mongo.ts'
import { refusedWith, runCommand, startCommand } from '../../../support/processes/run-command.ts'
import { useTestBucket } from '../../../support/processes/s3-bucket.ts'
import { spawnService } from '../../../support/processes/spawn-service.ts'
import { testProgram } from '../../../support/processes/test-programs.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'
import { useClient } from '../../../support/service/use-client.ts'
import { useFolder } from '../../../support/service/use-folder.ts'

// No other test shares this server, because restores are killed here.
const mongo = await usePrivateMongo()
const { uri: sourceUri, client: source, prepare } = await useBareDatabase()
const target = await useClient(mongo.uri)
const folder = await useFolder()
const file = join(folder, 'backup.tar')
const here = { MONGODB_URI: sourceUri, DATA_DIR: join(folder, 'here') }
const there = { MONGODB_URI: mongo.uri, DATA_DIR: join(folder, 'there') }

/** Few documents, which are too large for one member. */
const GAMES = 600
const KILLS_MS = 60_000
const newHex = () => new ObjectId().toHexString()
const keyOfCover = (hex: string) => `covers/${hex}/${hex}`
const [KEPT_COVER, LOST_COVER] = [keyOfCover(newHex()), keyOfCover(newHex())]
const [SECRET, LINK_SECRET] = ['hash-of-a-refresh-token', 'hash-of-a-one-time-link']

const toGame = (number: number) => ({
  name: `Game ${number}`,
  slug: `game-${number}`,
  summary: randomBytes(12_000).toString('base64'),
  number: new Int32(number),
})

/** A value of every BSON type that differs after a conversion to JavaScript. */
const TYPES = {
  int: new Int32(1),
  long: Long.fromNumber(1),
  double: new Double(1),
  large: Long.fromString('9007199254740993'),
  decimal: Decimal128.fromString('1.10'),
  date: new Date(0),
  early: new Date(-62_135_596_800_000),
  bytes: new Binary(Buffer.from([0, 255])),
  stamp: new Timestamp({ t: 1, i: 2 }),
  pattern: /x/i,
  nothing: null,
  text: 'Zelda: 時のオカリナ \u2028 "quoted"',
  'a.b': { $c: [[], {}] },
}

/** A collection whose ids are texts. */
const named = (client: MongoClient, name: string) => client.db().collection<{ _id: string; count?: number }>(name)

beforeAll(async () => {
  await prepare()
  const db = source.db()
  await db.collection('games').insertMany(Array.from({ length: GAMES }, (_, number) => toGame(number)))
  await db.collection('games').insertOne({ name: 'Both', slug: 'both', cover: KEPT_COVER, artworks: [LOST_COVER] })
  await db
    .collection<{ _id: unknown }>('staffActions')
    .insertMany([{ _id: 'a text', ...TYPES }, { _id: 7 }, TYPES as never])
  await db.collection('refreshTokens').insertOne({ tokenHash: SECRET, familyId: 'family' })
  await db.collection('users').insertOne({ userName: 'ann', resetLink: { tokenHash: LINK_SECRET } })
  await named(source, 'serviceKeys').insertOne(Object.assign({ _id: 'parser' }, { hash: 'hash', scopes: ['entries'] }))
  await mkdir(join(here.DATA_DIR, 'files', dirname(KEPT_COVER)), { recursive: true })
  await writeFile(join(here.DATA_DIR, 'files', KEPT_COVER), '\x89PNG\r\n\x1a\nbytes', 'latin1')
})

const readRaw = async (client: MongoClient, name: string, filter = {}) => {
  const documents = await client
    .db()
    .collection(name)
    .find(filter, { sort: { _id: 1 }, raw: true })
    .toArray()
  return documents.map((document) => Buffer.from(document as unknown as Uint8Array).toString('base64'))
}

async function listMembers(bytes: Buffer) {
  const headers: Header[] = []
  for await (const member of Readable.from([bytes]).pipe(extract())) {
    headers.push(member.header)
    member.resume()
  }
  return headers
}

const backup = (...args: string[]) => runCommand('backup-command', args, here)
const restore = (...args: string[]) => runCommand('restore-command', args, there)

it('a backup under load holds every document that was acknowledged before its first line', async () => {
  const comments = source.db().collection('comments')
  const acknowledged: ObjectId[] = []
  let isDone = false
  const load = (async () => {
    while (!isDone) {
      const { insertedId } = await comments.insertOne({ body: 'x', at: new Date() })
      acknowledged.push(insertedId)
      // Both counts always agree, unless a backup mixes two moments.
      const session = source.startSession()
      await session.withTransaction(async () => {
        for (const name of ['conflicts', 'users']) {
          await named(source, name).updateOne({ _id: 'pair' }, { $inc: { count: 1 } }, { upsert: true, session })
        }
      })
      await session.endSession()
      await sleep(5)
    }
  })()
  // A backup replaces the content and the permissions of an earlier file and of its draft.
  for (const before of [file, `${file}.part`]) await writeFile(before, SECRET, { mode: 0o644 })
  while (acknowledged.length < 20) await sleep(5)
  const before = [...acknowledged]
  const { code, stdout, stderr } = await backup(file)
  isDone = true
  await load
  expect({ code, stdout }).toEqual({ code: 0, stdout: '' })
  expect(stderr).toMatch(/^Backing up \S+\n/)
  expect(stderr).toContain(`The storage has no ${LOST_COVER}\n`)
  expect(stderr).toMatch(/Backed up as of \S+: \d+ documents, 1 objects\n$/)
  expect(acknowledged.length).toBeGreaterThan(before.length)
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(await readdir(folder)).not.toContain('backup.tar.part')
  const bytes = await readFile(file)
  for (const secret of [SECRET, LINK_SECRET]) expect(bytes.includes(secret)).toBe(false)
  const members = await listMembers(bytes)
  expect(members.at(-1)?.name).toBe('manifest.json')
  expect(members.filter(({ name }) => name.startsWith('documents/games/')).length).toBeGreaterThan(1)
  expect(Math.max(...members.map(({ size = 0 }) => size))).toBeLessThanOrEqual(8_000_000)
  expect((await restore(file, '--check')).stderr).toMatch(
    /is whole: \d+ documents and 1 objects of .*; 1 objects were missing\n$/,
  )

  expect(await restore(file)).toMatchObject({ code: 0, stdout: expect.stringContaining('service keys are revoked') })
  for (const name of ['games', 'staffActions']) expect(await readRaw(target, name)).toEqual(await readRaw(source, name))
  const written = { _id: { $in: before } }
  expect(await readRaw(target, 'comments', written)).toEqual(await readRaw(source, 'comments', written))
  const pair = await Promise.all(['conflicts', 'users'].map((name) => named(target, name).findOne({ _id: 'pair' })))
  expect(pair[0]).not.toBeNull()
  expect(pair[0]).toEqual(pair[1])
  const left = (await target.db().listCollections().toArray()).map(({ name }) => name)
  expect(left).not.toContain('refreshTokens')
  expect(await target.db().collection('serviceKeys').countDocuments()).toBe(0)
  expect(await readFile(join(there.DATA_DIR, 'files', KEPT_COVER))).toEqual(
    await readFile(join(here.DATA_DIR, 'files', KEPT_COVER)),
  )
  expect(await named(target, 'meta').find().toArray()).toEqual(await named(source, 'meta').find().toArray())
})

it('a backup to standard output is a whole file, also without objects', async () => {
  const script = testProgram('lib/ops/commands/backup-command')
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    const options = { env: { PATH: process.env.PATH, ...here }, encoding: 'buffer' as const, maxBuffer: 1e9 }
    execFile(process.execPath, [script, '-', '--no-objects'], options, (error, out) =>
      error ? reject(error) : resolve(out),
    )
  })
  const path = join(folder, 'piped.tar')
  await writeFile(path, bytes)
  expect((await restore(path, '--check')).stderr).toMatch(/is whole: \d+ documents and no objects/)

  await writeFile(path, bytes.subarray(0, bytes.length - 20_000))
  expect(await restore(path, '--check')).toEqual(refusedWith(/^\S+ (cannot be read|is no whole)/))
  const at = bytes.indexOf('"Game 77"')
  bytes[at + 1] = 'X'.charCodeAt(0)
  await writeFile(path, bytes)
  expect(await restore(path)).toEqual(
    refusedWith(/^\S+ is damaged: documents\/games\/\d+\.ejson is not as it was written\n$/),
  )
})

it('a backup whose disk is full ends with that reason', async () => {
  const full = new Writable({ write: (_bytes, _encoding, done) => done(new Error('no space left on device')) })
  const written = writeBackup({ client: source, db: source.db(), storage: undefined, show() {} }, full)
  await expect(written).rejects.toThrow('no space left on device')
})

it('a restore is refused where the database holds anything, and changes nothing', async () => {
  const before = await readRaw(target, 'games')
  const reason =
    /The database gamehall is not empty \(comments\): drop it, or name another in MONGODB_URI \(embedded: DATA_DIR\)\n$/
  expect(await restore(file)).toEqual(refusedWith(reason))
  expect(await readRaw(target, 'games')).toEqual(before)
})

it(
  'a restore that was killed at several points goes on with the same file alone, and no service starts meanwhile',
  async () => {
    await target.db().dropDatabase()
    await prepareDatabase(mongo.uri)
    await target.db().collection('platforms').insertOne({ name: 'Of a start', slug: 'of-a-start' })
    const meta = named(target, 'meta')
    const count = () => target.db().collection('games').estimatedDocumentCount()

    const points = [
      async () => (await meta.findOne({ _id: 'restore' })) !== null,
      async () => (await meta.findOne({ _id: 'restore', isCleared: true })) !== null,
      async () => (await count()) > 0,
      async () => (await count()) > GAMES / 2,
      async () => (await count()) > GAMES,
    ]
    for (const isReached of points) {
      const { child, ended } = startCommand('restore-command', [file, '--keep-keys'], there)
      while (child.exitCode === null && !(await isReached())) await sleep(5)
      child.kill('SIGKILL')
      await ended
      expect(await meta.findOne({ _id: 'restore' })).not.toBeNull()
    }
    const refusal = 'a restore into this database has not ended'
    const service = await spawnService(there)
    await expect(service.ready()).rejects.toThrow(refusal)
    expect((await runCommand('admin-command', ['someone'], there)).stderr).toContain(refusal)
    const other = join(folder, 'other.tar')
    expect((await backup(other)).code).toBe(0)
    expect((await restore(other)).stderr).toContain('A restore of another file has not ended here')

    expect(await restore(file, '--keep-keys')).toMatchObject({ code: 0 })
    for (const name of ['games', 'staffActions', 'serviceKeys']) {
      expect(await readRaw(target, name)).toEqual(await readRaw(source, name))
    }
    expect(await target.db().collection('platforms').countDocuments()).toBe(0)
    const started = await spawnService(there)
    await started.ready()
    expect(await started.end('SIGTERM')).toBe(0)
  },
  KILLS_MS,
)

it(
  'a restore beside a running service is refused, and the service goes on',
  async () => {
    await target.db().dropDatabase()
    const service = await spawnService(there)
    await service.ready()
    expect(await restore(file)).toEqual(
      refusedWith(/A service or a command of gamehall uses this database: stop it, then restore again\n$/),
    )
    expect(await named(target, 'meta').countDocuments({ _id: 'restore' })).toBe(0)
    expect(await service.end('SIGTERM')).toBe(0)
    expect(await restore(file, '--no-objects')).toMatchObject({ code: 0 })
  },
  KILLS_MS,
)

it('a restore is refused while another one of the same file is at work, and goes on after its end', async () => {
  await target.db().dropDatabase()
  const { hash } = await checkFile(file)
  await named(target, 'meta').insertOne(Object.assign({ _id: 'restore' }, { hash, isCleared: true }))
  const other = new MongoClient(mongo.uri, { appName: connectionName('gamehall', 'another process') })
  await other.db().command({ ping: 1 })
  expect(await restore(file)).toEqual(refusedWith(/stop it, then restore again\n$/))
  expect(await target.db().collection('games').countDocuments()).toBe(0)

  await other.close()
  expect(await restore(file, '--no-objects')).toMatchObject({ code: 0 })
})

it(
  'a move from local files to a bucket and back: the service shows the same image from either',
  async () => {
    const bucket = await useTestBucket()
    const local = { ...there, DATA_DIR: join(folder, 'back') }
    const inBucket = { ...there, ...bucket.env }
    const showCover = async (env: Record<string, string>) => {
      const service = await spawnService(env)
      await service.ready()
      const { cover } = (await createCaller(service).get('/games/both')).body
      const address = cover.replace(/^http:\/\/localhost:\d+(?=\/files)/, service.baseUrl)
      const bytes = Buffer.from(await (await fetch(address)).arrayBuffer())
      expect(await service.end('SIGTERM')).toBe(0)
      return { cover, bytes }
    }
    const moved = join(folder, 'moved.tar')
    const bytes = await readFile(join(here.DATA_DIR, 'files', KEPT_COVER))

    await target.db().dropDatabase()
    expect(await runCommand('restore-command', [file], inBucket)).toMatchObject({ code: 0 })
    expect(await bucket.listKeys()).toEqual([KEPT_COVER])
    expect(await showCover(inBucket)).toEqual({ cover: expect.stringContaining(bucket.s3.endpoint), bytes })

    expect(await runCommand('backup-command', [moved], inBucket)).toMatchObject({ code: 0 })
    await target.db().dropDatabase()
    expect(await runCommand('restore-command', [moved], local)).toMatchObject({ code: 0 })
    expect(await showCover(local)).toEqual({ cover: expect.stringMatching(/\/files\/covers\//), bytes })
    expect(await target.db().collection('games').countDocuments()).toBe(GAMES + 1)
  },
  KILLS_MS,
)

it('a file of a newer schema is refused before anything is changed', async () => {
  await target.db().dropDatabase()
  const archive = pack()
  const manifest = {
    format: 1,
    app: '1.4.0',
    schema: 99,
    at: new Date(0),
    collections: {},
    objects: null,
    missing: [],
    members: {},
  }
  archive.entry({ name: 'manifest.json' }, JSON.stringify(manifest))
  archive.finalize()
  const path = join(folder, 'newer.tar')
  await writeFile(path, await buffer(archive))
  expect(await restore(path)).toEqual(refusedWith(/The file is of 1\.4\.0 \(schema 99\)/))
  expect(await target.db().listCollections().toArray()).toEqual([])
})

it('exit 1 with the usage for arguments that cannot be used', async () => {
  for (const args of [[], ['a', 'b'], ['a', '--odd']]) {
    expect(await backup(...args)).toEqual(refusedWith(/^Usage: npm run backup/))
    expect(await restore(...args)).toEqual(refusedWith(/^Usage: npm run restore/))
  }
  expect(await restore(join(folder, 'none'))).toEqual(refusedWith(/no such file/))
})
