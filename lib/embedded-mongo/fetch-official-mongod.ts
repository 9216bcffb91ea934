import { fileURLToPath } from 'node:url'
import { toRelease, UNFINISHED } from './data-release.ts'
import type { EmbeddedLog } from './embedded-options.ts'
import { inFetchFolder, keepMongod } from './kept-mongods.ts'
import { type Mongod, probeMongod } from './probe-mongod.ts'
import { runFetcher } from './run-fetcher.ts'

/** For new data. */
const NEWEST = '8.2.6'
/** Which build to ask for where data exist; 6.0 has none for today's systems, but 7.0 opens its data. */
const FOR_DATA_OF: Record<string, string> = {
  '6.0': '7.0.28',
  '7.0': '7.0.28',
  '8.0': '8.0.17',
  [toRelease(NEWEST)]: NEWEST,
}

/**
 * Downloads the official build, one try.
 * @throws with a reason
 */
export async function fetchOfficialMongod({
  cacheDir,
  dataRelease = UNFINISHED,
  log,
  idleMs = 20_000,
}: {
  cacheDir: string
  dataRelease?: string | undefined
  log: EmbeddedLog
  idleMs?: number
}): Promise<Mongod> {
  const version = dataRelease === UNFINISHED ? NEWEST : FOR_DATA_OF[dataRelease.split(' ').at(-1) ?? '']
  if (version === undefined) throw new Error(`there is none for data of release ${dataRelease}`)

  return await inFetchFolder(cacheDir, async (folder) => {
    const doing = `Downloading the official MongoDB ${version}`
    log.info(doing)
    let path: unknown
    await runFetcher({
      ...childCommand([version, folder]),
      folder,
      doing,
      idleMs,
      log,
      onMessage: (message) => {
        path = message
      },
    })
    if (typeof path !== 'string') throw new Error('the download left no binary')
    return await keepMongod(cacheDir, await probeMongod(path))
  })
}

/** The file beside this one, by the loader that runs this one: plain when built, tsx from the sources. */
function childCommand(args: string[]): { command: string; args: string[] } {
  const source = fileURLToPath(new URL('./official-mongod-child.ts', import.meta.url))
  const isBuilt = import.meta.url.endsWith('.js')
  const hasLoader = isBuilt || process.execArgv.some((argument) => argument.includes('tsx'))
  const file = isBuilt ? source.replace(/\.ts$/, '.js') : source
  return {
    command: process.execPath,
    args: [...process.execArgv, ...(hasLoader ? [] : ['--import', 'tsx']), file, ...args],
  }
}
