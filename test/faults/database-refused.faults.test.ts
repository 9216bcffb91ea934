import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { MongoClient } from 'mongodb'
import { afterAll, expect, it, vi } from 'vitest'
import { usePrivateMongo } from '../support/processes/private-mongo.ts'
import { spawnService } from '../support/processes/spawn-service.ts'

const mongo = await usePrivateMongo()
const keyFile = join(mongo.folder, 'key')
await writeFile(keyFile, 'a'.repeat(64), { mode: 0o600 })
const uriOf = (user: string, password: string) =>
  `${mongo.uri.replace('//', `//${user}:${password}@`)}&authSource=admin`
const alone = new MongoClient(mongo.uri)
await alone.db('admin').command({ createUser: 'root', pwd: 'root', roles: ['root'] })
await alone.close()

async function restart(): Promise<void> {
  await mongo.kill()
  mongo.start({ more: ['--keyFile', keyFile] })
  // A connection from before the kill fails.
  const isPrimary = () =>
    root
      .db()
      .command({ hello: 1 })
      .then(
        ({ isWritablePrimary }) => isWritablePrimary,
        () => false,
      )
  await vi.waitUntil(isPrimary, { timeout: 30_000 })
}
const root = new MongoClient(uriOf('root', 'root'))
const change = (command: object) => root.db('admin').command({ ...command })
await restart()
const roles = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: 'gamehall' }))
await change({ createUser: 'hall', pwd: 'first-password', roles })

const env = { MONGODB_URI: uriOf('hall', 'first-password'), DATA_DIR: join(mongo.folder, 'data') }
const service = await spawnService(env)
await service.ready()
afterAll(async () => {
  await service.end('SIGTERM')
  await root.close()
})

const ask = async (path: string) => (await fetch(`${service.baseUrl}${path}`)).status
const until = (path: string, status: number) =>
  vi.waitUntil(async () => (await ask(path)) === status, { timeout: 30_000, interval: 100 })
const reasons = () =>
  Array.from(service.output().matchAll(/"reason":"(The database refuses[^"]*)"/g), ([, text]) => text)

it('503 while the user of the database has no rights any more, and 200 once it has them again', async () => {
  await change({ revokeRolesFromUser: 'hall', roles })
  await until('/readyz', 503)
  expect(await ask('/platforms')).toBe(503)
  const reason = 'The database refuses the user of MONGODB_URI: not authorized on gamehall'
  await expect.poll(() => new Set(reasons())).toEqual(new Set([reason]))

  await change({ grantRolesToUser: 'hall', roles })
  await until('/readyz', 200)
  expect(await ask('/platforms')).toBe(200)
})

it('503 while the password of the database is another, with a line that names it, and 200 once it is right again', async () => {
  await change({ updateUser: 'hall', pwd: 'second-password' })
  await restart()
  await until('/readyz', 503)
  await vi.waitUntil(() => reasons().at(-1)?.endsWith('Authentication failed.'), { timeout: 30_000 })
  expect(await ask('/platforms')).toBe(503)
  expect(await ask('/healthz')).toBe(200)

  await change({ updateUser: 'hall', pwd: 'first-password' })
  await until('/readyz', 200)
  expect(await ask('/platforms')).toBe(200)
  expect(service.output()).not.toMatch(/(first|second)-password/)
})

it('a start with a wrong password ends with one line that names it', async () => {
  const refused = await spawnService({ ...env, MONGODB_URI: uriOf('hall', 'wrong-password') })
  await expect(refused.ready()).rejects.toThrow()
  expect(refused.child.exitCode).toBe(1)
  expect(refused.output()).toBe('The database refuses the user of MONGODB_URI: Authentication failed.\n')
})
