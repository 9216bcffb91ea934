import { beforeEach, expect, it } from 'vitest'
import { VERSION } from '#lib/base/version'
import { prepareDatabase } from '#lib/infrastructure/db/connect'
import { SCHEMA } from '#lib/infrastructure/db/migrate'
import { runCommand } from '../../../support/processes/run-command.ts'
import { spawnService } from '../../../support/processes/spawn-service.ts'
import { startTestProgram } from '../../../support/processes/test-programs.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'

const { uri, db } = await useBareDatabase()
const meta = db.collection<{ _id: string }>('meta')
const numbers = db.collection('numbers')
const COUNT = 600
const LEASE_MS = 1_000

beforeEach(() => db.dropDatabase())

const startMigration = () => startTestProgram('run-migration', { uri, leaseMs: LEASE_MS }, {})
const countDone = () => numbers.countDocuments({ doubled: { $exists: true } })

it('a start stores the schema and its release, also in place of an earlier release', async () => {
  const stamp = { _id: 'schema', version: SCHEMA, app: VERSION }
  await prepareDatabase(uri)
  expect(await meta.find().toArray()).toEqual([stamp])
  await meta.updateOne({ _id: 'schema' }, { $set: { app: '0.9.0' } })
  await prepareDatabase(uri)
  expect(await meta.find().toArray()).toEqual([stamp])
})

it('a database of a newer release is refused in one line by starts and commands, and is not changed', async () => {
  await meta.insertOne(Object.assign({ _id: 'schema' }, { version: SCHEMA + 1, app: '1.4.0' }))
  const refusal = `this database was written by 1.4.0 (schema ${SCHEMA + 1}), and ${VERSION} knows schema ${SCHEMA}: start 1.4.0 or newer, or restore a backup of ${VERSION}`
  await expect(prepareDatabase(uri)).rejects.toThrow(refusal)
  expect(await runCommand('admin-command', ['someone'], { MONGODB_URI: uri })).toEqual({
    code: 1,
    stdout: '',
    stderr: `${refusal}\n`,
  })
  const service = await spawnService({ MONGODB_URI: uri })
  await expect(service.ready()).rejects.toThrow(refusal)
  expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['meta'])
})

it('three instances migrate at once and are killed at any point: each document is migrated once', async () => {
  await numbers.insertMany(Array.from({ length: COUNT }, (_, number) => ({ number })))
  for (const share of [0.1, 0.3, 0.6, 0.9]) {
    const instances = [startMigration(), startMigration(), startMigration()]
    while ((await countDone()) < COUNT * share) await new Promise((resolve) => setTimeout(resolve, 5))
    for (const { child } of instances) child.kill('SIGKILL')
    await Promise.all(instances.map(({ ended }) => ended))
  }
  expect(await meta.findOne({ _id: 'schema' })).toMatchObject({ version: 1 })

  const last = await Promise.all([startMigration().ended, startMigration().ended, startMigration().ended])
  expect(last.map(({ code }) => code)).toEqual([0, 0, 0])
  expect(last.flatMap(({ printed }) => printed.trim().split('\n').filter(Boolean))).toEqual([
    'Migrating the database to schema 2: doubles numbers',
  ])
  expect(await meta.findOne({ _id: 'schema' })).toMatchObject({ version: 2 })
  const stored = await numbers.find({}, { projection: { _id: 0 }, sort: { doubled: 1 } }).toArray()
  expect(stored).toEqual(Array.from({ length: COUNT }, (_, number) => ({ doubled: number * 2 })))
})
