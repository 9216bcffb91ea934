import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newDatabaseUri } from '../../../support/service/database-pool.ts'
import { startService, type TestService } from '../../../support/service/start-service.ts'

const COMMAND = fileURLToPath(new URL('../../../../lib/ops/commands/seed-command.ts', import.meta.url))
const mongodbUri = newDatabaseUri()
let service: TestService

const run = (env: Record<string, string>) =>
  promisify(execFile)(process.execPath, ['--import', 'tsx', COMMAND], {
    env: { ...process.env, NODE_ENV: '', MONGODB_URI: mongodbUri, ...env },
  })

beforeAll(async () => {
  service = await startService({ mongodbUri })
})
afterAll(async () => {
  for (const each of Object.values(service.db)) if (typeof each === 'object') await each.drop()
  await service.close()
})

describe('npm run seed', () => {
  test('fills the database of MONGODB_URI once, without demo users where they have no place', async () => {
    const first = await run({ PUBLIC_URL: 'https://gamehall.example' })
    expect(first.stdout).toMatch(
      /^Filled in: platforms, games, characters, conflicts\nLeft out: users, discussion, royal lists/,
    )
    expect(await service.db.users.countDocuments()).toBe(0)
    expect(await service.db.games.countDocuments()).toBeGreaterThanOrEqual(60)

    const second = await run({})
    expect(second.stdout).toBe('Filled in: users, discussion, royal lists, requests, pictures, reports\n')
    const third = await run({})
    expect(third.stdout).toBe('Everything was filled in before\n')
  }, 120_000)

  test('exits 1 with one line when there is no database', async () => {
    const refused = await run({ MONGODB_URI: 'mongodb://127.0.0.1:1/gamehall' }).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 1, stdout: '', stderr: 'The database cannot be reached\n' })
  }, 120_000)
})
