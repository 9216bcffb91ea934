import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '#lib/base/config'
import { findProgram } from './find-program.ts'

const execute = promisify(execFile)

/** Debian's package, unpacked below a folder without being installed; apt checks its signature. */
async function unpackDebianPackage(folder: string): Promise<string> {
  const [state, cache] = [join(folder, 'state'), join(folder, 'cache')]
  await mkdir(join(state, 'lists/partial'), { recursive: true })
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  const own = [
    '-q',
    '-o',
    `Dir::State=${state}`,
    '-o',
    'Dir::State::status=/var/lib/dpkg/status',
    '-o',
    `Dir::Cache=${cache}`,
  ]
  await execute('apt-get', [...own, 'update'], { cwd: folder })
  await execute('apt-get', [...own, 'download', 'nginx'], { cwd: folder })
  await execute('sh', ['-ec', 'dpkg -x nginx_*.deb .'], { cwd: folder })
  return join(folder, 'usr/sbin/nginx')
}

/** The absolute path of an installed nginx, else Debian's, kept in the user's cache folder. */
export async function provideNginx(): Promise<string> {
  const installed = await findProgram(['nginx'], ['-v'])
  if (installed !== undefined) return installed

  const { cacheDir } = readConfig(process.env)
  const kept = join(cacheDir, 'nginx')
  if (existsSync(kept)) return kept
  await mkdir(cacheDir, { recursive: true })
  const folder = await mkdtemp(`${kept}-`)
  try {
    await rename(await unpackDebianPackage(folder), kept)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return kept
}
