import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { checkDatabase, judgeVersion } from '#lib/domain/operations/check-database'
import { openDatabase, prepareDatabase } from '#lib/infrastructure/db/connect'
import { usePrivateMongo } from '../../../support/processes/private-mongo.ts'
import { runCommand } from '../../../support/processes/run-command.ts'
import { runDoctor } from '../../../support/processes/run-doctor.ts'
import { useClient } from '../../../support/service/use-client.ts'

// A test breaks the real database and repairs it at its end.

const PASSWORD = 'p@ss/word of the database'
const mongo = await usePrivateMongo()
const client = await useClient(mongo.uri)
const db = client.db()
await prepareDatabase(mongo.uri)

const environment = { MONGODB_URI: mongo.uri, DATA_DIR: join(mongo.folder, 'data') }
const doctor = (about: RegExp, env: Record<string, string> = {}) => runDoctor(about, { ...environment, ...env })

const DATABASE = /^\w+ +(database|change stream:)/

/** Returns the address with the name and the password of a database user. */
const uriOf = (user: string, password = PASSWORD) =>
  `${mongo.uri.replace('//', `//${user}:${encodeURIComponent(password)}@`)}&authSource=admin`

/** Starts the server again, and waits until it takes writes at this address. */
async function restart(options: Parameters<typeof mongo.start>[0], uri = mongo.uri) {
  await mongo.kill()
  mongo.start(options)
  const waiting = new MongoClient(uri)
  await vi.waitUntil(async () => (await waiting.db().command({ hello: 1 })).isWritablePrimary, { timeout: 30_000 })
  await waiting.close()
}

it('every line about a prepared database is ok, as JSON too', async () => {
  expect((await doctor(DATABASE)).bad).toEqual([])

  const { stdout, stderr } = await runCommand('doctor-command', ['--json'], environment)
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toContainEqual({ check: 'database set', state: 'ok', text: 'replica set gamehall' })
})

it('a missing index is a warning, and one with other options a failure that names it', async () => {
  await db.collection('comments').dropIndexes()
  const missing = (await doctor(DATABASE)).bad
  expect(missing).toEqual([
    expect.stringMatching(/^warn {2}database indexes: missing: .* of comments, .*next start makes/),
  ])

  await prepareDatabase(mongo.uri)
  await db.collection('users').dropIndex('userName_any_case')
  await db.collection('users').createIndex({ userName: 1 }, { name: 'userName_any_case' })
  expect((await doctor(DATABASE)).bad).toEqual([
    expect.stringMatching(
      /^fail {2}database indexes: other options have the place of userName_any_case of users: drop/,
    ),
  ])
  await db.collection('users').dropIndex('userName_any_case')
  await prepareDatabase(mongo.uri)
})

it('the schema of another release, and a restore that has not ended, are named', async () => {
  const meta = db.collection<{ _id: string }>('meta')
  const stamp = await meta.findOne({ _id: 'schema' })
  await meta.updateOne({ _id: 'schema' }, { $set: { version: 99, app: '7.1.0' } })
  expect((await doctor(DATABASE)).bad).toEqual([
    expect.stringMatching(/^fail {2}database schema: this database was written by 7\.1\.0 .*: start 7\.1\.0 or newer/),
  ])
  await meta.replaceOne({ _id: 'schema' }, { version: 0, app: '0.9.0' })
  expect((await doctor(DATABASE)).bad).toEqual([expect.stringMatching(/^warn {2}database schema: 0, .* migrates it$/)])

  await meta.replaceOne({ _id: 'schema' }, { ...stamp })
  await meta.insertOne({ _id: 'restore' })
  expect((await doctor(DATABASE)).bad).toEqual([
    expect.stringMatching(/^fail {2}database schema: a restore .*npm run restore/),
  ])
  await meta.deleteOne({ _id: 'restore' })
})

it('a long life of transactions and a wrong clock are warnings', async () => {
  const set = (seconds: number) => db.admin().command({ setParameter: 1, transactionLifetimeLimitSeconds: seconds })
  await set(60)
  expect((await doctor(DATABASE)).bad).toEqual([
    'warn  database transactions: a killed process locks documents for 60 s: start mongod with --setParameter transactionLifetimeLimitSeconds=3',
  ])
  await set(3)

  const opened = openDatabase(mongo.uri)
  const readClock = async (offsetMs: number) => {
    const findings = await checkDatabase({ db: opened, clock: () => new Date(Date.now() + offsetMs) })
    return findings.find(({ check }) => check === 'database clock')
  }
  expect(await readClock(0)).toMatchObject({ state: 'ok' })
  expect(await readClock(30_000)).toMatchObject({
    state: 'warn',
    text: expect.stringMatching(/^30(\.\d)? s behind .* by NTP$/),
  })
  expect(await readClock(-90_000)).toMatchObject({
    state: 'fail',
    text: expect.stringMatching(/^(90\.0|89\.\d) s ahead of /),
  })
  await opened.close()
})

it.each([
  ['7.0.43', '6.19.2', 'ok'],
  ['8.0.4', '6.18.9-amd64', 'ok'],
  ['8.0.4', '6.19.0-1-generic', 'warn'],
  ['8.2.6', '7.0.1', 'warn'],
  ['8.2.6', '', 'ok'],
])('MongoDB %s on kernel "%s" is %s', (version, kernel, state) => {
  expect(judgeVersion(version, kernel).state).toBe(state)
})

it('missing rights of the database user and a wrong password are named, and no line shows the password', async () => {
  const roles = {
    reader: ['read'],
    writer: ['readWrite'],
    owner: ['readWrite', 'dbAdmin'],
    streamless: ['withoutStream'],
  }
  const actions = 'find,insert,update,remove,createCollection,createIndex,listIndexes,listCollections,collMod'.split(
    ',',
  )
  const privileges = [{ resource: { db: db.databaseName, collection: '' }, actions }]
  await db.command({ createRole: 'withoutStream', privileges, roles: [] })
  for (const [user, names] of Object.entries(roles)) {
    const granted = names.map((role) => ({ role, db: db.databaseName }))
    await client.db('admin').command({ createUser: user, pwd: PASSWORD, roles: granted })
  }
  const keyFile = join(mongo.folder, 'key')
  await writeFile(keyFile, 'a'.repeat(64), { mode: 0o600 })
  await restart({ more: ['--keyFile', keyFile] }, uriOf('owner'))

  const asOwner = await doctor(DATABASE, { MONGODB_URI: uriOf('owner') })
  expect(asOwner.bad).toEqual([])
  expect(asOwner.text).toContain('ok    database transactions: the user may not read')
  expect((await doctor(DATABASE, { MONGODB_URI: uriOf('writer') })).bad).toEqual([
    'warn  database rights: the user may not collMod: grant it dbAdmin as well',
  ])
  expect((await doctor(DATABASE, { MONGODB_URI: uriOf('reader') })).bad).toEqual([
    'fail  database rights: the user may not insert, update, remove, createCollection, createIndex: grant it readWrite on gamehall',
  ])
  expect((await doctor(DATABASE, { MONGODB_URI: uriOf('streamless') })).bad).toEqual([
    'fail  database rights: the user may not changeStream: grant it readWrite on gamehall',
    'fail  change stream: The database refuses the user of MONGODB_URI: not authorized on gamehall',
  ])
  const wrong = await doctor(DATABASE, { MONGODB_URI: uriOf('owner', `${PASSWORD}!`) })
  expect(wrong.bad).toEqual(['fail  database: The database refuses the user of MONGODB_URI: Authentication failed.'])
  const nobody = await doctor(DATABASE)
  expect(nobody.bad).toEqual([
    'fail  database: The database refuses the user of MONGODB_URI: command find requires authentication',
  ])
  for (const { text } of [asOwner, wrong]) expect(text).not.toMatch(/p(@|%40)ss/)

  await restart({})
})

it('a server without a replica set and one that is gone are failures, exit 1', async () => {
  const alone = mongo.uri.replace(/\?.*/, '?directConnection=true')
  await restart({ isAlone: true }, alone)
  // A server that starts alone may lack the last writes, so only this check is certain.
  expect((await doctor(/database set/, { MONGODB_URI: alone })).bad).toEqual([
    expect.stringMatching(/^fail {2}database set: no replica set: .*--replSet/),
  ])

  await mongo.kill()
  const { code, stdout } = await runCommand('doctor-command', [], environment)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^fail {2}database: The database cannot be reached: /m)
  expect(stdout).not.toContain('database schema')
})
