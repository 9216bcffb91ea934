import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from './find-program.ts'
import { provideTool } from './provide-tool.ts'

const execute = promisify(execFile)

/** Unpacks Debian's package below a folder, without an installation. apt checks its signature. */
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
  /** The path of the program in the package. */
  path: string
  /** The name of the package, by default that of the program. */
  from?: string
  /** Arguments with which the program runs and ends. */
  check: readonly string[]
}

/** Finds the absolute path of an installed program, else of Debian's in the user's cache folder. */
async function provideDebianProgram({ path, from, check }: DebianProgram): Promise<string> {
  const name = basename(path)
  const installed = await findProgram([name], check)
  if (installed !== undefined) return installed
  return await provideTool({
    name,
    async fetch(folder) {
      await unpackDebianPackage(folder, from ?? name)
      return join(folder, path)
    },
  })
}

export const provideNginx = () => provideDebianProgram({ path: 'usr/sbin/nginx', check: ['-v'] })

/** The checker of Prometheus, which also evaluates alert rules. */
export const providePromtool = () =>
  provideDebianProgram({ path: 'usr/bin/promtool', from: 'prometheus', check: ['--version'] })
