import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../lib/auth/demo-users.ts'
import { hashPassword } from '../../lib/auth/passwords.ts'
import { openDatabase } from '../../lib/db/connect.ts'
import { spawnService } from '../support/processes/spawn-service.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'gamehall-main-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

test.each([
  ['', []],
  ['images.test:9000,[::1]:9001', [['images.test:9000', '[::1]:9001']]],
])(
  'a start with IMAGE_FETCH_ALLOW=%s warns of what it admits',
  async (allow, expected) => {
    const service = await spawnService({ MONGODB_URI: newDatabaseUri(), DATA_DIR: dataDir, IMAGE_FETCH_ALLOW: allow })
    await service.ready()
    await service.end('SIGTERM')

    const warnings = Array.from(service.output().matchAll(/^\{.*IMAGE_FETCH_ALLOW.*$/gm), ([line]) => JSON.parse(line))
    expect(warnings.map(({ hosts }) => hosts)).toEqual(expected)
    for (const { level } of warnings) expect(level).toBe('warn')
  },
  120_000,
)

test.each([
  ['0.0.0.0', 1],
  ['127.0.0.1', 0],
])(
  'a start with HOST=%s and demo users warns of them: %d times',
  async (HOST, expected) => {
    const uri = newDatabaseUri()
    const db = openDatabase(uri)
    const at = new Date()
    const names = { userName: 'alice', email: 'alice@example.com' }
    const passwordHash = await hashPassword(DEMO_PASSWORD)
    await db.users.insertOne({ _id: new ObjectId(), ...names, passwordHash, createdAt: at, updatedAt: at })
    await db.close()
    const service = await spawnService({ MONGODB_URI: uri, DATA_DIR: dataDir, HOST })
    await service.ready()
    await service.end('SIGTERM')

    const warnings = Array.from(service.output().matchAll(/^\{.*Demo users exist.*$/gm), ([line]) => JSON.parse(line))
    expect(warnings.map(({ level, host }) => [level, host])).toEqual(Array(expected).fill(['warn', HOST]))
    // What people look at comes first.
    const paths = Array.from(service.output().matchAll(/^ {2}\S.* https?:\/\/[^/]+(\/\S*)$/gm), ([, path]) => path)
    expect(paths.slice(0, 2)).toEqual(['/console', '/docs'])
  },
  120_000,
)
