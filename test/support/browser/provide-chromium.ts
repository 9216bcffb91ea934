import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { shellEnvironment } from '../processes/shell-environment.ts'
import { findProgram } from '../tools/find-program.ts'
import { hasTools, installPackage, provideTool, type Tool } from '../tools/provide-tool.ts'

const execute = promisify(execFile)

const VERSION = '153.0.0'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The package is fetched when a test first needs a browser, never by an installation: it has 67 MB. */
const packed = (name: string, sha256: string): Tool => ({
  name: `chromium-${VERSION}/${name}`,
  sha256,
  async fetch(folder) {
    const file = join(await installPackage(folder, '@sparticuz/chromium', VERSION), 'bin', `${name}.br`)
    await pipeline(createReadStream(file), createBrotliDecompress(), createWriteStream(join(folder, name)))
    return join(folder, name)
  },
})

const CHROMIUM = packed('chromium', '53a15d6c3a3d27dfb54c4ba60278b1683136f70cf1e67e989da7dfbd3d451ef0')
/** Libraries of a desktop, for a machine that has none. */
const LIBRARIES = packed('al2023.tar', '395fa5e215cc097034be54ad0d710550e847679f336e1db9d61a03731b8ad2bc')

export interface Chromium {
  program: string
  environment: Record<string, string>
}

async function lacksLibraries(program: string): Promise<boolean> {
  const { stdout } = await execute('ldd', [program]).catch(() => ({ stdout: '' }))
  return stdout.includes('not found')
}

/** Unpacks the libraries beside their archive, once: a browser that starts elsewhere may be loading them. */
async function provideLibraries(): Promise<string> {
  const archive = await provideTool(LIBRARIES)
  const kept = join(dirname(archive), 'libraries')
  if (existsSync(kept)) return kept

  const folder = await mkdtemp(`${kept}-`)
  await execute('tar', ['-xf', archive, '-C', folder])
  await rename(join(folder, 'lib'), kept).catch((error: unknown) => {
    if (!existsSync(kept)) throw error
  })
  await rm(folder, { recursive: true })
  return kept
}

/** The browser of the tests: the one that `CHROMIUM` names, one on the PATH, or a pinned one from the user's cache. */
export async function provideChromium(): Promise<Chromium> {
  const environment = shellEnvironment()
  const installed = process.env.CHROMIUM || (await findProgram(NAMES, ['--version']))
  if (installed) return { program: installed, environment }
  if (!hasTools) throw new Error('Name a Chromium in CHROMIUM: none is kept for this platform')

  const program = await provideTool(CHROMIUM)
  if (!(await lacksLibraries(program))) return { program, environment }
  return { program, environment: { ...environment, LD_LIBRARY_PATH: await provideLibraries() } }
}
