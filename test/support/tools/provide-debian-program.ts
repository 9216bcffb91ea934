import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '#lib/base/config'
import { findProgram } from './find-program.ts'

const execute = promisify(execFile)

/** Debian's package, unpacked below a folder without being installed; apt checks its signature. */
async function unpackDebianPackage(folder: string, name: string): Promise<void> {
  const [state, cache] = [join(folder, 'state'), join(folder, 'cache')]
  await mkdir(join(state, 'lists/partial'), { recursive: true })
  await mkdir(join(cache, 'archives/partial'), { recursive: true })
  const own = ['-q', `-oDir::State=${state}`, '-oDir::State::status=/var/lib/dpkg/status', `-oDir::Cache=${cache}`]
  await execute('apt-get', [...own, 'update'], { cwd: folder })
  await execute('apt-get', [...own, 'download', name], { cwd: folder })
  await execute('sh', ['-ec', `dpkg -x ${name}_*.deb .`], { cwd: folder })
}

interface DebianProgram {
  /** Its path in the package. */
  path: string
  /** The package, by default of the program's name. */
  from?: string
  /** Arguments with which it runs and ends. */
  check: readonly string[]
}

/** The absolute path of an installed program, else of Debian's, kept in the user's cache folder. */
async function provideDebianProgram({ path, from, check }: DebianProgram): Promise<string> {
  const name = basename(path)
  const installed = await findProgram([name], check)
  if (installed !== undefined) return installed

  const { cacheDir } = readConfig(process.env)
  const kept = join(cacheDir, name)
  if (existsSync(kept)) return kept
  await mkdir(cacheDir, { recursive: true })
  const folder = await mkdtemp(`${kept}-`)
  try {
    await unpackDebianPackage(folder, from ?? name)
    await rename(join(folder, path), kept)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return kept
}

export const provideNginx = () => provideDebianProgram({ path: 'usr/sbin/nginx', check: ['-v'] })

/** The checker of Prometheus, which also evaluates alert rules. */
export const providePromtool = () =>
  provideDebianProgram({ path: 'usr/bin/promtool', from: 'prometheus', check: ['--version'] })
