import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../system/has-code.ts'
import { readDataRelease, UNFINISHED, writeDataRelease } from './data-release.ts'
import type { EmbeddedOptions } from './embedded-options.ts'
import { endOrphans } from './end-orphans.ts'

/** Whether a first start has yet to be finished. For the holder of the data folder only. */
export async function isWithoutData(dataDir: string, dbPath: string): Promise<boolean> {
  return (await listFolder(dbPath)).length === 0 || (await readDataRelease(dataDir)) === UNFINISHED
}

/**
 * Makes the folder of the data ready for a mongod: nobody else runs on it, and what a first start left unfinished is
 * begun anew, since it may not even open. For the holder of the data folder only.
 * @returns whether there are no data yet
 */
export async function prepareDbPath(options: EmbeddedOptions, dbPath: string): Promise<boolean> {
  const isFresh = await isWithoutData(options.dataDir, dbPath)
  // A mongod empties its lock when it stops; one that has only just started has not filled it.
  const lock = await readFile(join(dbPath, 'mongod.lock'), 'utf8').catch(() => '')
  if (isFresh || lock !== '') await endOrphans(dbPath, options.log)
  if (isFresh) {
    await writeDataRelease(options.dataDir, UNFINISHED)
    await rm(dbPath, { recursive: true, force: true })
    await mkdir(dbPath, { mode: 0o700 })
  }
  return isFresh
}

async function listFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return []
    throw error
  }
}
