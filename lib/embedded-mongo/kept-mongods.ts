import { randomUUID } from 'node:crypto'
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { syncPath } from '../system/write-durably.ts'
import type { Mongod } from './probe-mongod.ts'

/** The name tells version and size, so a file that is not whole cannot pass for one. */
const KEPT = /^mongod-(\d+\.\d+\.\d+)-(\d+)$/
const FETCH = /^fetch-/
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1_000

/** The binaries kept by earlier starts, newest first. */
export async function listKeptMongods(cacheDir: string): Promise<Mongod[]> {
  const kept: Mongod[] = []
  for (const name of await readdir(cacheDir).catch(() => [])) {
    const path = join(cacheDir, name)
    const found = await stat(path).catch(() => undefined)
    const [, version, size] = KEPT.exec(name) ?? []
    if (version !== undefined && found?.isFile() && found.size === Number(size)) kept.push({ path, version })
    if (FETCH.test(name) && found !== undefined && Date.now() - found.mtimeMs > ABANDONED_AFTER_MS) {
      await rm(path, { recursive: true, force: true })
    }
  }
  return kept.sort((a, b) => b.version.localeCompare(a.version, 'en', { numeric: true }))
}

/** Calls `fetch` with an empty folder beside the kept binaries, which is gone afterwards. */
export async function inFetchFolder<T>(cacheDir: string, fetch: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(cacheDir, `fetch-${randomUUID()}`)
  await mkdir(folder, { recursive: true })
  try {
    return await fetch(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Moves a fetched binary, which must lie on the same file system, to where later starts find it. */
export async function keepMongod(cacheDir: string, { path, version }: Mongod): Promise<Mongod> {
  const { size } = await stat(path)
  const kept = join(cacheDir, `mongod-${version}-${size}`)
  await chmod(path, 0o755)
  await syncPath(path)
  await rename(path, kept)
  return { path: kept, version }
}
