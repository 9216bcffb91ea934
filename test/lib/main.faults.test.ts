import { once } from 'node:events'
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ObjectId } from 'mongodb'
import { expect, test, vi } from 'vitest'
import { DEMO_PASSWORD } from '../../lib/domain/auth/demo-users.ts'
import { hashPassword } from '../../lib/domain/auth/passwords.ts'
import { openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { spawnService } from '../support/processes/spawn-service.ts'
import { newDatabaseUri } from '../support/service/database-pool.ts'
import { useFolder } from '../support/service/use-folder.ts'

const dataDir = await useFolder()

test('a start warns of what its settings admit: private hosts of images, and demo users on a network', async () => {
  const uri = newDatabaseUri()
  const db = openDatabase(uri)
  const at = new Date()
  const names = { userName: 'alice', email: 'alice@example.com' }
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await db.users.insertOne({ _id: new ObjectId(), ...names, passwordHash, createdAt: at, updatedAt: at })
  await db.close()
  const IMAGE_FETCH_ALLOW = 'images.test:9000,[::1]:9001'
  const service = await spawnService({ MONGODB_URI: uri, DATA_DIR: dataDir, HOST: '0.0.0.0', IMAGE_FETCH_ALLOW })
  await service.ready()
  // The start does not wait for its checks.
  await vi.waitUntil(() => service.output().includes('IMAGE_FETCH_ALLOW'), { timeout: 30_000 })
  await service.end('SIGTERM')

  const lines = service.output().split('\n')
  const warning = (about: RegExp) => JSON.parse(lines.find((line) => line.startsWith('{') && about.test(line)) ?? '{}')
  expect(warning(/IMAGE_FETCH_ALLOW: .*images\.test:9000, \[::1\]:9001/)).toMatchObject({ level: 'warn' })
  expect(warning(/Demo users exist/)).toMatchObject({ level: 'warn', host: '0.0.0.0' })
}, 120_000)

test('a service whose embedded MongoDB dies says so in one line and stops with 1', async () => {
  const service = await spawnService({ DATA_DIR: dataDir })
  await service.ready()
  const mongodId = Number(await readFile(join(dataDir, 'mongo', 'mongod.lock'), 'utf8'))
  const ended = once(service.child, 'close')
  process.kill(mongodId, 'SIGKILL')

  expect(await ended).toEqual([1, null])
  expect(service.output()).toContain('\nThe embedded MongoDB ended (SIGKILL), so gamehall stops\n')
}, 120_000)

test('a start in production prints one address for the first admin, not in the log, and none once there is one', async () => {
  const uri = newDatabaseUri()
  const env = {
    NODE_ENV: 'production',
    MONGODB_URI: uri,
    DATA_DIR: dataDir,
    JWT_SECRET: 'x'.repeat(32),
    PUBLIC_URL: 'https://hall.example',
    CORS_ORIGINS: 'https://hall.example',
  }
  const start = async () => {
    const service = await spawnService(env)
    await service.ready()
    await service.end('SIGTERM')
    return service.output()
  }
  const [printed, again] = [await start(), await start()]
  const token = /^ {2}https:\/\/hall\.example\/console#\/first-admin\/([\w-]{43})$/m.exec(printed)?.[1] ?? ''
  expect(token).not.toBe('')
  expect(printed.split('\n').filter((line) => line.startsWith('{') && line.includes(token))).toEqual([])
  expect(again).toContain('/console#/first-admin/')
  expect(again).not.toContain(token)

  const db = openDatabase(uri)
  const [at, roles] = [new Date(), ['user' as const, 'admin' as const]]
  const names = { userName: 'keeper', email: 'keeper@example.com', passwordHash: 'none' }
  await db.users.insertOne({ _id: new ObjectId(), ...names, roles, createdAt: at, updatedAt: at })
  expect(JSON.stringify(await db.leases.find().toArray())).not.toContain(token)
  await db.close()
  expect(await start()).not.toContain('first-admin')
})

test('a service goes on serving its own files when its build is taken away', async () => {
  const build = await mkdtemp(join(import.meta.dirname, '../../.builds/test-'))
  await cp(await realpath(join(import.meta.dirname, '../../dist')), build, { recursive: true })
  const service = await spawnService({ MONGODB_URI: newDatabaseUri(), DATA_DIR: dataDir }, join(build, 'lib/main.js'))
  await service.ready()
  await rm(build, { recursive: true })

  const read = async (path: string) => {
    const answer = await fetch(service.baseUrl + path)
    expect([path, answer.status]).toEqual([path, 200])
    return await answer.text()
  }
  for (const page of ['console', 'docs']) {
    const [, asset] = new RegExp(`"(/?${page}/[^"]+\\.js)"`).exec(await read(`/${page}`)) ?? []
    await read(`/${asset?.replace(/^\//, '')}`)
  }
  await read('/client.tgz')
  await service.end('SIGTERM')
}, 120_000)
