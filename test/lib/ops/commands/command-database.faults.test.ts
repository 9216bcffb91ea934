import { mkdtemp, readdir, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { runCommand } from '../../../support/processes/run-command.ts'
import { type SpawnedService, spawnService } from '../../../support/processes/spawn-service.ts'

let running: SpawnedService | undefined

const dataDir = await mkdtemp(join(tmpdir(), 'gamehall-commands-'))
afterAll(async () => {
  // A mongod that still runs would write into the folder while it is removed.
  await running?.end('SIGTERM')
  await rm(dataDir, { recursive: true, force: true })
})

const { MONGOD_BINARY = '', XDG_CACHE_HOME = '' } = process.env
const run = (name: string, ...args: string[]) =>
  runCommand(name, args, { DATA_DIR: dataDir, MONGOD_BINARY, XDG_CACHE_HOME })

it.each([
  ['admin-command', 'without a database'],
  ['password-command', 'without a database'],
  ['admin-command', 'that does not exist'],
])('%s makes no database in a folder %s, exit 1', async (name, folder) => {
  const empty = await mkdtemp(join(await realpath(tmpdir()), 'gamehall-empty-'))
  const target = folder === 'without a database' ? empty : join(empty, 'none')
  const end = await runCommand(name, ['alice'], { DATA_DIR: target, MONGOD_BINARY, XDG_CACHE_HOME })

  expect(end).toEqual({
    code: 1,
    stdout: '',
    stderr: `There is no database in ${target} yet: start the service once, or set DATA_DIR\n`,
  })
  expect(await readdir(empty)).toEqual([])
  await rm(empty, { recursive: true })
})

it('commands reach the embedded database while its service runs and while none does', async () => {
  running = await spawnService({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' })
  await running.ready()
  expect(await run('admin-command', 'alice')).toEqual({ code: 0, stdout: 'alice is an admin now\n', stderr: '' })
  expect((await fetch(`${running.baseUrl}/readyz`)).status).toBe(200)
  expect(await running.end('SIGTERM')).toBe(0)
  running = undefined

  const refused = await run('admin-command', 'nobody')
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/There is no user nobody\n$/)
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
