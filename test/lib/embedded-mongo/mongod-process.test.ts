import { appendFile, mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { readConfig } from '../../../lib/config.ts'
import { findMongod } from '../../../lib/embedded-mongo/find-mongod.ts'
import { rotateLog, spawnMongod } from '../../../lib/embedded-mongo/mongod-process.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { cleanUp, makeFolder } from './embedded-process.ts'
import { keepLines, writeScript } from './fakes.ts'

afterEach(cleanUp)

it('keeps the log of a running mongod in bounds', async () => {
  const dataDir = await makeFolder()
  const { path: binary } = await findMongod({ ...readConfig(process.env), dataDir, log: keepLines().log })
  const [dbPath, logPath] = [join(dataDir, 'mongo'), join(dataDir, 'mongod.log')]
  await mkdir(dbPath)
  await writeFile(`${logPath}.1`, 'the one before')
  const mongod = spawnMongod({ binary, dbPath, port: await freePort(), logPath })
  await vi.waitFor(async () => expect(await readFile(logPath, 'utf8')).toContain('Waiting for connections'), 40_000)

  await rotateLog(logPath, mongod)
  expect(await readFile(`${logPath}.1`, 'utf8')).toBe('the one before')

  await appendFile(logPath, 'x'.repeat(10_000_000))
  await rotateLog(logPath, mongod)
  await vi.waitFor(async () => expect((await stat(logPath)).size).toBeGreaterThan(0), 40_000)
  expect((await stat(`${logPath}.1`)).size).toBeGreaterThan(10_000_000)

  await truncate(`${logPath}.1`)
  mongod.kill('SIGTERM')
  await mongod.ended
  expect(await readFile(logPath, 'utf8')).toContain('Shutting down')
  expect((await stat(`${logPath}.1`)).size).toBe(0)
  expect((await readdir(dataDir)).sort()).toEqual(['mongo', 'mongod.log', 'mongod.log.1'])
})

it.each([
  [
    'what the system says when it cannot be loaded',
    'echo "libcurl is missing" >&2; exit 127',
    'exit code 127, libcurl is missing',
  ],
  [
    'the fatal line rather than a later one',
    `echo '{"s":"F","msg":"Bad data","attr":{"error":"Corrupt: x"}}'; echo '{"s":"E","msg":"Later"}'; exit 14`,
    'exit code 14, Bad data: Corrupt: x',
  ],
  ['nothing but the code when it wrote nothing', 'exit 2', 'exit code 2'],
])('ends with %s', async (_what, script, expected) => {
  const dataDir = await makeFolder()
  const binary = await writeScript(join(dataDir, 'mongod'), script)
  const logPath = join(dataDir, 'mongod.log')
  await writeFile(logPath, '{"s":"F","msg":"of an earlier run"}\n')
  const mongod = spawnMongod({ binary, dbPath: join(dataDir, 'mongo'), port: 1, logPath })
  expect(await mongod.ended).toBe(expected)
  expect(mongod.signal.aborted).toBe(true)
})
