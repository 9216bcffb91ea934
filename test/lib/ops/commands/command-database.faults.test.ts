import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { refusedWith, runCommand } from '../../../support/processes/run-command.ts'
import { type SpawnedService, spawnService } from '../../../support/processes/spawn-service.ts'
import { useFolder } from '../../../support/service/use-folder.ts'

let running: SpawnedService | undefined

const dataDir = await useFolder()
// A mongod that still runs would write into the folder while it is removed.
afterAll(() => running?.end('SIGTERM'))

const { MONGOD_BINARY = '', XDG_CACHE_HOME = '' } = process.env
const run = (name: string, ...args: string[]) =>
  runCommand(name, args, { DATA_DIR: dataDir, MONGOD_BINARY, XDG_CACHE_HOME })

it.each([
  ['admin-command', 'without a database'],
  ['password-command', 'without a database'],
  ['admin-command', 'that does not exist'],
])('%s makes no database in a folder %s, exit 1', async (name, folder) => {
  const empty = await useFolder()
  const target = folder === 'without a database' ? empty : join(empty, 'none')
  const end = await runCommand(name, ['alice'], { DATA_DIR: target, MONGOD_BINARY, XDG_CACHE_HOME })

  expect(end).toEqual(refusedWith(`There is no database in ${target} yet: start the service once, or set DATA_DIR\n`))
  expect(await readdir(empty)).toEqual([])
})

it('commands reach the embedded database while its service runs and while none does', async () => {
  running = await spawnService({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  await running.ready()
  expect(await run('admin-command', 'alice')).toEqual({ code: 0, stdout: 'alice is an admin now\n', stderr: '' })
  expect((await fetch(`${running.baseUrl}/readyz`)).status).toBe(200)
  expect(await running.end('SIGTERM')).toBe(0)
  running = undefined

  expect(await run('admin-command', 'nobody')).toEqual(refusedWith(/There is no user nobody\n$/))
  const { code, stdout } = await run('password-command', 'alice')
  expect(code).toBe(0)
  const [, password] = /: (\S+)\n$/.exec(stdout) ?? []

  running = await spawnService({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  await running.ready()
  const answer = await fetch(`${running.baseUrl}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'alice@example.com', password }),
  })
  expect(answer.status).toBe(200)
})
