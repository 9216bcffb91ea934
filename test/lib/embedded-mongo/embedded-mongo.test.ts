import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readConfig } from '../../../lib/config.ts'
import { type EmbeddedMongo, startEmbeddedMongo } from '../../../lib/embedded-mongo/embedded-mongo.ts'
import { findMongod } from '../../../lib/embedded-mongo/find-mongod.ts'
import { spawnMongod } from '../../../lib/embedded-mongo/mongod-process.ts'
import { StartError } from '../../../lib/errors.ts'
import { freePort } from '../../support/processes/free-port.ts'
import { timeUnpaused } from '../../support/service/watch-pauses.ts'
import {
  askAdmin,
  cleanUp,
  type EmbeddedProcess,
  endProcesses,
  findMongods,
  findOneMongod,
  launch,
  makeFolder,
  readNotes,
  readPort,
  whilePortTaken,
  withClient,
  writeNote,
} from './embedded-process.ts'

let binary: string
const running: EmbeddedMongo[] = []

beforeAll(async () => {
  const log = { info: () => {}, warn: () => {} }
  binary = (await findMongod({ ...readConfig(process.env), dataDir: await makeFolder(), log })).path
})

/** Quick is eight seconds, and on a machine that is busy twice what a first start takes there. */
const quickBeside = (firstMs: number) => Math.max(8_000, 2 * firstMs)

const launchService = (dataDir: string) => launch('service', dataDir, binary)
const launchCommand = (dataDir: string) => launch('command', dataDir, binary)

/** In the process of the tests, where no other process matters. */
async function startHere(dataDir: string, lines: string[] = []): Promise<EmbeddedMongo> {
  const tell = (line: string) => void lines.push(line)
  const log = { info: tell, warn: tell }
  const mongo = await startEmbeddedMongo({ dataDir, mongodBinary: binary, searchPath: '', cacheDir: dataDir, log })
  running.push(mongo)
  return mongo
}

const refusalOf = (dataDir: string) =>
  startHere(dataDir).then(
    () => Promise.reject(new Error('it runs')),
    (error: unknown) => {
      expect(error).toBeInstanceOf(StartError)
      return error instanceof Error ? error.message : ''
    },
  )

describe('beside a living service', () => {
  let dataDir: string
  let service: EmbeddedProcess
  let uri: string

  beforeAll(async () => {
    dataDir = await makeFolder()
    service = launchService(dataDir)
    uri = (await service.started).uri
  })
  afterAll(cleanUp)

  it('is a replica set on the loopback address only, with transactions that end soon', async () => {
    expect(uri).toBe(`mongodb://127.0.0.1:${await readPort(dataDir)}/gamehall?replicaSet=gamehall`)
    const { parsed } = await askAdmin(uri, { getCmdLineOpts: 1 })
    expect(parsed).toMatchObject({ net: { bindIp: '127.0.0.1' }, storage: { dbPath: join(dataDir, 'mongo') } })
    expect(await askAdmin(uri, { getParameter: 1, transactionLifetimeLimitSeconds: 1 })).toMatchObject({
      transactionLifetimeLimitSeconds: 3,
    })
    await withClient(uri, (client) =>
      client.withSession((session) =>
        session.withTransaction(() => client.db().collection('notes').insertOne({ note: 'committed' }, { session })),
      ),
    )
    expect(await readNotes(uri)).toEqual(['committed'])
  })

  it('refuses a second one on the same data in one sentence, by whatever path it comes', async () => {
    const link = join(await makeFolder(), 'link')
    await symlink(dataDir, link)

    expect(await refusalOf(link)).toBe(
      `Another service (process ${service.child.pid}) is running on ${link}: stop it first, or set another DATA_DIR.`,
    )
    expect(await readNotes(uri)).toEqual(['committed'])
  })

  it('serves a command from its mongod, which runs on afterwards', async () => {
    const mongod = await findOneMongod(dataDir)
    const command = launchCommand(dataDir)
    expect(await command.started).toMatchObject({ uri, isFresh: false })
    await command.stop()
    expect(await findOneMongod(dataDir)).toBe(mongod)
    expect(await readNotes(uri)).toEqual(['committed'])
  })

  it('keeps mongod running when Ctrl-C reaches the whole process group', async () => {
    const mongod = await findOneMongod(dataDir)
    process.kill(-(service.child.pid ?? 0), 'SIGINT')
    await writeNote(uri, 'while closing')
    expect(await readNotes(uri)).toEqual(['committed', 'while closing'])
    expect(await findOneMongod(dataDir)).toBe(mongod)
  })

  it('takes mongod along when it exits without stopping it', async () => {
    service.child.send('exit')
    await vi.waitFor(async () => expect(await findMongods(dataDir)).toEqual([]), 60_000)
  })
})

describe('alone', () => {
  afterEach(async () => {
    const stopped = running.splice(0).map((mongo) => mongo.stop())
    await endProcesses()
    await Promise.all(stopped)
    await cleanUp()
  })

  it('starts fresh in a folder that does not exist, keeps the data, and is quick the second time', async () => {
    const dataDir = join(await makeFolder(), 'made', 'on the way')
    const firstAt = performance.now()
    const first = await startHere(dataDir)
    const firstMs = performance.now() - firstAt
    expect(first.isFresh).toBe(true)
    await writeNote(first.uri, 'kept')
    await Promise.all([first.stop(), first.stop()])
    expect(await findMongods(dataDir)).toEqual([])

    const { result: second, tookMs } = await timeUnpaused(() => startHere(dataDir))
    expect(tookMs).toBeLessThan(quickBeside(firstMs))
    expect(second).toMatchObject({ uri: first.uri, isFresh: false })
    expect(await readNotes(second.uri)).toEqual(['kept'])
  })

  it('lets exactly one of several services win that start at one instant', async () => {
    const dataDir = await makeFolder()
    const contenders = [1, 2, 3].map(() => launchService(dataDir))

    const started = await Promise.allSettled(contenders.map((contender) => contender.started))
    expect(started.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = await Promise.allSettled(contenders.map((contender) => contender.refused))
    expect(refused.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    await findOneMongod(dataDir)
  })

  it('starts after a killed service with all it acknowledged, and ends the mongod it left behind', async () => {
    const dataDir = await makeFolder()
    const killed = launchService(dataDir)
    const { uri, ms } = await killed.started
    await writeNote(uri, 'acknowledged')
    await killed.kill()
    const orphan = await findOneMongod(dataDir)

    const { result, tookMs } = await timeUnpaused(() => startHere(dataDir))
    expect(result).toMatchObject({ uri, isFresh: false })
    expect(tookMs).toBeLessThan(quickBeside(ms))
    expect(await findOneMongod(dataDir)).not.toBe(orphan)
    expect(await readNotes(uri)).toEqual(['acknowledged'])
  })

  it('starts mongod again on the same port as often as it dies', async () => {
    const dataDir = await makeFolder()
    const lines: string[] = []
    const { uri } = await startHere(dataDir, lines)
    await writeNote(uri, 'acknowledged')

    for (const deaths of [1, 2]) {
      const pid = await findOneMongod(dataDir)
      process.kill(pid, 'SIGKILL')
      await vi.waitFor(() => expect(lines.filter((line) => line.endsWith('is back'))).toHaveLength(deaths), 60_000)
      expect(await findOneMongod(dataDir)).not.toBe(pid)
      expect(await readNotes(uri)).toEqual(['acknowledged'])
    }
    expect(lines).toContain('The embedded MongoDB ended (SIGKILL); starting it again')
  })

  it('is stopped within eight seconds when mongod hangs', async () => {
    const dataDir = await makeFolder()
    const mongo = await startHere(dataDir)
    process.kill(await findOneMongod(dataDir), 'SIGSTOP')
    const { tookMs } = await timeUnpaused(() => mongo.stop())

    expect(tookMs).toBeLessThan(8_000)
    expect(await findMongods(dataDir)).toEqual([])
  })

  it('leaves nothing running when it is stopped while a dead mongod is being replaced', async () => {
    const dataDir = await makeFolder()
    for (const delay of [0, 95, 300]) {
      const mongo = await startHere(dataDir)
      process.kill(await findOneMongod(dataDir), 'SIGKILL')
      await sleep(delay)
      await mongo.stop()
      expect(await findMongods(dataDir)).toEqual([])
    }
  })

  it('is not hindered by the lock of a dead service whose process id was given to another program', async () => {
    const dataDir = await makeFolder()
    await mkdir(join(dataDir, 'lock'))
    const dead = { pid: process.pid, startToken: 'started at another time', role: 'service' }
    await writeFile(join(dataDir, 'lock', '41'), JSON.stringify(dead))
    await writeFile(join(dataDir, 'lock', 'draft-left-behind'), '')

    await startHere(dataDir)
    expect(await refusalOf(dataDir)).toMatch(/^Another service/)
  })

  it('says in one sentence that another program has its port', async () => {
    const dataDir = await makeFolder()
    const [port, refusal] = await whilePortTaken(async (port) => {
      await writeFile(join(dataDir, 'mongo.port'), `${port}\n`)
      return [port, await refusalOf(dataDir)]
    })
    expect(refusal).toBe(
      `Port ${port}, which ${dataDir}/mongo.port keeps for the embedded MongoDB, is taken by another program: stop that program, or delete the file to have another port chosen.`,
    )
  })

  it('waits for its port, which an orphan that was just starting has until it is found', async () => {
    const dataDir = await makeFolder()
    let isStarted: Promise<EmbeddedMongo> | undefined
    const taken = await whilePortTaken(async (port) => {
      await writeFile(join(dataDir, 'mongo.port'), `${port}\n`)
      isStarted = startHere(dataDir)
      await sleep(150)
      return port
    })
    expect((await isStarted)?.uri).toContain(`:${taken}/`)
  })

  it('says in one sentence that another mongod has its data, and leaves that one alone', async () => {
    const dataDir = await makeFolder()
    const dbPath = join(dataDir, 'mongo')
    await mkdir(dbPath)
    const other = spawnMongod({
      binary,
      dbPath: `${dbPath}/.`,
      port: await freePort(),
      logPath: join(dataDir, 'other.log'),
    })
    await vi.waitFor(async () => expect(await readFile(join(dbPath, 'mongod.lock'), 'utf8')).not.toBe(''), 60_000)

    expect(await refusalOf(dataDir)).toMatch(
      /^The embedded MongoDB could not be started \(exit code .*DBPathInUse.*\); its log is \S+$/,
    )
    expect(other.signal.aborted).toBe(false)
    other.kill('SIGKILL')
    await other.ended
  })

  it('chooses another port for existing data when the kept one is half written', async () => {
    const dataDir = await makeFolder()
    const before = await startHere(dataDir)
    await writeNote(before.uri, 'kept')
    await before.stop()
    await writeFile(join(dataDir, 'mongo.port'), '')

    const { uri, isFresh } = await startHere(dataDir)
    expect(isFresh).toBe(false)
    expect(uri).not.toBe(before.uri)
    expect(await readNotes(uri)).toEqual(['kept'])
  })

  it('begins anew after a first start that was killed, at whatever moment', async () => {
    const dataDir = await makeFolder()
    for (const delay of [0, 400, 800]) {
      const killed = launchService(dataDir)
      await vi.waitFor(async () => expect(await findMongods(dataDir)).not.toEqual([]), { timeout: 60_000, interval: 5 })
      await sleep(delay)
      await killed.kill()
    }
    const { uri } = await startHere(dataDir)
    await writeNote(uri, 'served')
    expect(await readNotes(uri)).toEqual(['served'])
  })

  it('is fresh after a first start that left a folder which no mongod opens', async () => {
    const dataDir = await makeFolder()
    await mkdir(join(dataDir, 'mongo'))
    await writeFile(join(dataDir, 'mongo', 'WiredTiger.turtle'), 'half a file')
    await writeFile(join(dataDir, 'mongo.release'), 'unfinished')

    expect((await startHere(dataDir)).isFresh).toBe(true)
  })

  it('never deletes data that no mongod opens', async () => {
    const dataDir = await makeFolder()
    const file = join(dataDir, 'mongo', 'WiredTiger.turtle')
    await mkdir(join(dataDir, 'mongo'))
    await writeFile(file, 'half a file')

    expect(await refusalOf(dataDir)).toMatch(/^The embedded MongoDB could not be started \(.+\); its log is \S+$/)
    expect(await readFile(file, 'utf8')).toBe('half a file')
  })

  it('moves data of the release before to its own, also when that was cut short', async () => {
    const dataDir = await makeFolder()
    const before = await startHere(dataDir)
    const release = await readFile(join(dataDir, 'mongo.release'), 'utf8')
    const [major = 0, minor] = release.split('.').map(Number)
    const older = `${minor === 0 ? major - 1 : major}.0`
    await askAdmin(before.uri, { setFeatureCompatibilityVersion: older, ...(major >= 7 && { confirm: true }) })
    await before.stop()
    await writeFile(join(dataDir, 'mongo.release'), `${older} ${release}`)

    const { uri } = await startHere(dataDir)
    const { featureCompatibilityVersion } = await askAdmin(uri, { getParameter: 1, featureCompatibilityVersion: 1 })
    expect(featureCompatibilityVersion).toEqual({ version: release.trim() })
    expect(await readFile(join(dataDir, 'mongo.release'), 'utf8')).toBe(release)
  })

  it('serves a command that comes while the service is still starting', async () => {
    const dataDir = await makeFolder()
    const isStarted = startHere(dataDir)
    const command = launchCommand(dataDir)
    const { uri } = await isStarted
    expect(await command.started).toMatchObject({ uri, isFresh: false })
    await findOneMongod(dataDir)
  })

  it('starts a mongod for a command when no service runs, and a service waits for the end of the command', async () => {
    const dataDir = await makeFolder()
    const command = launchCommand(dataDir)
    const { uri } = await command.started
    await writeNote(uri, 'of the command')

    const lines: string[] = []
    const isStarted = startHere(dataDir, lines)
    await vi.waitFor(() => expect(lines).toEqual([expect.stringMatching(/^Waiting for the command/)]), 60_000)
    await command.stop()
    expect(await isStarted).toMatchObject({ uri, isFresh: false })
    expect(await readNotes(uri)).toEqual(['of the command'])
  })

  it('says in one sentence that the data folder cannot be made', async () => {
    const file = join(await makeFolder(), 'file')
    await writeFile(file, '')
    expect(await refusalOf(join(file, 'data'))).toMatch(/^DATA_DIR cannot be made: .+$/)
  })
})
