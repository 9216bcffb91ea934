import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '#lib/base/config'
import { startEmbeddedMongo } from '#lib/infrastructure/embedded-mongo/embedded-mongo'
import { type EmbeddedOptions, findMongod } from '#lib/infrastructure/embedded-mongo/find-mongod'
import { timeUnpaused } from '../../../support/service/watch-pauses.ts'
import { startRefusalOf } from '../../../support/tools/errors.ts'
import {
  askAdmin,
  cleanUp,
  type EmbeddedProcess,
  isRunning,
  launch,
  makeFolder,
  readMongodId,
  readNotes,
  writeNote,
} from './embedded-process.ts'
import { fakeMongod, keepLines, writeScript } from './fakes.ts'

const running: Awaited<ReturnType<typeof startEmbeddedMongo>>[] = []

const binary = (await findMongod({ ...readConfig(process.env), dataDir: await makeFolder(), log: keepLines().log }))
  .path

const launchService = (dataDir: string) => launch('service', dataDir, binary)
const launchCommand = (dataDir: string) => launch('command', dataDir, binary)

/** In the process of the tests, where no other process matters. */
async function startHere(dataDir: string, options: Partial<EmbeddedOptions> = {}) {
  const places = { dataDir, mongodBinary: binary, searchPath: '', cacheDir: dataDir }
  const mongo = await startEmbeddedMongo({ ...places, log: keepLines().log, ...options })
  running.push(mongo)
  return mongo
}

/** Writes a script that runs mongod as its child. */
const writeWrapper = async () => writeScript(join(await makeFolder(), 'mongod'), `${binary} "$@"\nexit $?`)

const countWatchdogs = () =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split(`mongo_killer.js ${process.pid} `).length - 1

const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('beside a running service', () => {
  let dataDir: string
  let service: EmbeddedProcess
  let uri: string

  beforeAll(async () => {
    dataDir = await makeFolder()
    service = launchService(dataDir)
    uri = await service.started
  })
  afterAll(cleanUp)

  it('the mongod is a replica set on the loopback address only, with transactions that end soon', async () => {
    const port = (await readFile(join(dataDir, 'mongo.port'), 'utf8')).trim()
    expect(uri).toBe(`mongodb://127.0.0.1:${port}/gamehall?replicaSet=gamehall`)
    const { parsed } = await askAdmin(uri, { getCmdLineOpts: 1 })
    expect(parsed).toMatchObject({ net: { bindIp: '127.0.0.1' }, storage: { dbPath: join(dataDir, 'mongo') } })
    expect(await askAdmin(uri, { getParameter: 1, transactionLifetimeLimitSeconds: 1 })).toMatchObject({
      transactionLifetimeLimitSeconds: 3,
    })
    await writeNote(uri, 'committed')
    expect(await readNotes(uri)).toEqual(['committed'])
  })

  it('a second service on the same data is refused in one sentence, also through a link', async () => {
    const link = join(await makeFolder(), 'link')
    await symlink(dataDir, link)

    const mongodId = await readMongodId(dataDir)
    expect(await startRefusalOf(startHere(link))).toBe(
      `Another service is running on ${dataDir} (its MongoDB is process ${mongodId}): stop it first, or set another DATA_DIR.`,
    )
    expect(await readNotes(uri)).toEqual(['committed'])
  })

  it('a command uses its mongod, which runs on afterwards', async () => {
    const command = launchCommand(dataDir)
    expect(await command.started).toBe(uri)
    await command.stop()
    expect(await readNotes(uri)).toEqual(['committed'])
  })

  it('Ctrl-C, which reaches the whole process group, does not end mongod before the service', async () => {
    process.kill(-(service.child.pid ?? 0), 'SIGINT')
    await writeNote(uri, 'while closing')
    expect(await readNotes(uri)).toEqual(['committed', 'while closing'])
  })
})

describe('alone', () => {
  afterEach(async () => {
    vi.unstubAllEnvs()
    await Promise.all(running.splice(0).map((mongo) => mongo.stop()))
    await cleanUp()
  })

  it('a mongod starts in a private folder whose parents are missing, keeps the data, and is quick the second time', async () => {
    const dataDir = join(await makeFolder(), 'made', 'on the way')
    const first = await timeUnpaused(() => startHere(dataDir))
    await writeNote(first.result.uri, 'kept')
    expect(await modeOf(dataDir)).toBe(0o700)
    expect(await modeOf(join(dataDir, 'mongo'))).toBe(0o700)
    expect(await modeOf(join(dataDir, 'mongod.log'))).toBe(0o600)
    expect(await readFile(join(dataDir, 'mongod.log'), 'utf8')).toContain('Waiting for connections')
    await Promise.all([first.result.stop(), first.result.stop()])
    expect(await isRunning(dataDir)).toBe(false)

    // Another program has the process id by now.
    await writeFile(join(dataDir, 'mongo', 'mongod.lock'), `${process.pid}\n`)
    const second = await timeUnpaused(() => startHere(dataDir))
    expect(second.tookMs).toBeLessThan(Math.max(3_000, 2 * first.tookMs))
    expect(second.result.uri).toBe(first.result.uri)
    expect(await readNotes(second.result.uri)).toEqual(['kept'])
    await second.result.stop()

    const other = await writeScript(join(dataDir, 'bin', 'mongod'), fakeMongod('99.1.0'))
    const release = (await readFile(join(dataDir, 'mongo.release'), 'utf8')).trim()
    // Nothing is downloaded either.
    vi.stubEnv('MONGOMS_DOWNLOAD_MIRROR', 'http://127.0.0.1:9')
    expect(await startRefusalOf(startHere(dataDir, { mongodBinary: other }))).toContain(
      `${other} is 99.1.0, the data are of ${release}`,
    )
  })

  it('exactly one of several services that start at one instant runs', async () => {
    const dataDir = await makeFolder()
    const contenders = [1, 2, 3].map(() => launchService(dataDir))

    const started = await Promise.allSettled(contenders.map((contender) => contender.started))
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = await Promise.allSettled(contenders.map((contender) => contender.refused))
    expect(refused.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
  })

  it('a service starts after a command, and after a killed service, with all their acknowledged writes', async () => {
    const dataDir = await makeFolder()
    const command = launchCommand(dataDir)
    await writeNote(await command.started, 'of the command')
    await command.stop()
    const killed = launch('service', dataDir, await writeWrapper())
    const uri = await killed.started
    await writeNote(uri, 'acknowledged')
    await killed.kill()

    expect((await startHere(dataDir)).uri).toBe(uri)
    expect(await readNotes(uri)).toEqual(['of the command', 'acknowledged'])
  })

  it('a service starts after a first start that was killed before its end', async () => {
    const dataDir = await makeFolder()
    const killed = launchService(dataDir)
    await expect.poll(() => readMongodId(dataDir).catch(() => 0)).toBeGreaterThan(0)
    await killed.kill()

    const { uri } = await startHere(dataDir)
    await writeNote(uri, 'served')
    expect(await readNotes(uri)).toEqual(['served'])
  })

  it('the end of mongod is reported once, and the next start takes another port where a program has the last one', async () => {
    const dataDir = await makeFolder()
    const reasons: string[] = []
    const onExit = (reason: string) => void reasons.push(reason)
    const first = await startHere(dataDir, { onExit })
    await writeNote(first.uri, 'acknowledged')
    process.kill(await readMongodId(dataDir), 'SIGKILL')
    await expect.poll(() => reasons).toEqual(['SIGKILL'])
    await first.stop()

    const server = createServer((socket) => socket.destroy()).listen(Number(new URL(first.uri).port), '127.0.0.1')
    await once(server, 'listening')
    const second = await startHere(dataDir, { onExit })
    server.close()
    expect(second.uri).not.toBe(first.uri)
    expect(await readNotes(second.uri)).toEqual(['acknowledged'])
    await second.stop()
    expect(reasons).toEqual(['SIGKILL'])
  })

  it('a stop ends a mongod that hangs as the child of a script, and its watchdog', async () => {
    const dataDir = await makeFolder()
    const { stop } = await startHere(dataDir, { mongodBinary: await writeWrapper() })
    expect(countWatchdogs()).toBe(1)
    process.kill(await readMongodId(dataDir), 'SIGSTOP')
    expect((await timeUnpaused(stop)).tookMs).toBeLessThan(7_000)
    await expect.poll(countWatchdogs).toBe(0)
    // The data are free again.
    await startHere(dataDir)
  })

  it('data that mongod cannot open are never deleted', async () => {
    const dataDir = await makeFolder()
    const file = join(dataDir, 'mongo', 'WiredTiger.turtle')
    await mkdir(join(dataDir, 'mongo'))
    await writeFile(file, 'half a file')

    expect(await startRefusalOf(startHere(dataDir))).toMatch(
      /^The embedded MongoDB could not be started \(.+\); its log is \S+, where \d+ MB are free$/,
    )
    expect(await readFile(file, 'utf8')).toBe('half a file')
  })

  it('a data folder that cannot be made refuses the start in one sentence', async () => {
    const file = join(await makeFolder(), 'file')
    await writeFile(file, '')
    expect(await startRefusalOf(startHere(join(file, 'data')))).toMatch(/^DATA_DIR cannot be written: .+$/)
  })
})
