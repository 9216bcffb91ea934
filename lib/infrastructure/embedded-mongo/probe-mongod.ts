import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { syncPath } from '../../base/system/sync-path.ts'

const run = promisify(execFile)

const OLDEST_MAJOR = 6
/** The name of a kept binary, with version and size. */
const KEPT = /^mongod-\d+\.\d+\.\d+-\d+$/

export interface Mongod {
  path: string
  version: string
}

/** Reads the release of a version: `6.0` of `6.0.5`. Only versions of one release open the same data. */
export const toRelease = (version: string) => version.split('.').slice(0, 2).join('.')

/** Runs a candidate for its version. @throws with a reason when it does not run, is no mongod, or is too old */
export async function probeMongod(path: string): Promise<Mongod> {
  const { stdout } = await run(path, ['--version'], { timeout: 20_000 }).catch((error: unknown) => {
    throw new Error(`${path}: it does not run (${toReason(error)})`)
  })
  const version = /^db version v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1]
  if (version === undefined) throw new Error(`${path}: it is no mongod`)
  if (Number.parseInt(version, 10) < OLDEST_MAJOR)
    throw new Error(`${path}: ${version} is older than ${OLDEST_MAJOR}.0`)
  return { path, version }
}

export function toReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  return (stderr || error.message).split('\n').at(-1) ?? ''
}

/** The binaries kept by earlier starts, newest first. */
export async function listKeptMongods(cacheDir: string): Promise<string[]> {
  const names = (await readdir(cacheDir).catch(() => [])).filter((name) => KEPT.test(name))
  return names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true })).map((name) => join(cacheDir, name))
}

/** Downloads a binary and keeps it for later starts. @param fetch returns its path in the folder */
export async function keepMongod(cacheDir: string, fetch: (folder: string) => Promise<string>): Promise<Mongod> {
  await mkdir(cacheDir, { recursive: true })
  const folder = await mkdtemp(join(cacheDir, 'fetch-'))
  try {
    const path = await fetch(folder)
    await chmod(path, 0o755)
    const { version } = await probeMongod(path)
    const { size } = await stat(path)
    await syncPath(path)
    const kept = join(cacheDir, `mongod-${version}-${size}`)
    await rename(path, kept)
    return { path: kept, version }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
