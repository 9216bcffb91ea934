import { expect, test } from 'vitest'
import { refusedWith, runCommand } from '../../../support/processes/run-command.ts'
import { useService } from '../../../support/service/start-service.ts'

const service = await useService()

const run = (env: Record<string, string>) => runCommand('seed-command', [], { MONGODB_URI: service.mongodbUri, ...env })

test('fills the database of MONGODB_URI once, without demo users where they have no place', async () => {
  const first = await run({ PUBLIC_URL: 'https://gamehall.example' })
  expect(first.stdout).toMatch(
    /^Filled in: platforms, games, characters, conflicts\nLeft out: users, discussion, reports, requests/,
  )
  expect(await service.db.users.countDocuments()).toBe(0)
  expect(await service.db.games.countDocuments()).toBeGreaterThanOrEqual(60)

  const second = await run({})
  expect(second.stdout).toBe('Filled in: users, discussion, reports, requests, notifications, staff log, pictures\n')
  const third = await run({})
  expect(third.stdout).toBe('Everything was filled in before\n')
})

test('exits 1 with one line when there is no database', async () => {
  const refused = await run({ MONGODB_URI: 'mongodb://127.0.0.1:1/gamehall' })
  expect(refused).toEqual(refusedWith(/^The database cannot be reached: .*\n$/))
})
