import { execFile } from 'node:child_process'
import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { access, constants, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { promisify } from 'node:util'
import { createBrotliDecompress } from 'node:zlib'
import { hasTools, provideTool, type Tool } from '../provide-tool.ts'
import { shellEnvironment } from '../shell-environment.ts'

const execute = promisify(execFile)

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

async function unpack(packed: string, to: string): Promise<string> {
  await pipeline(createReadStream(packed), createBrotliDecompress(), createWriteStream(to))
  return to
}

/** The package is fetched when a test needs a browser, never by an installation: it has 67 MB. */
async function fetchPackage(folder: string): Promise<string> {
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--omit=optional']
  const args = ['install', '--prefix', folder, ...flags, '@sparticuz/chromium@153.0.0']
  await execute('npm', args, { cwd: folder, env: shellEnvironment() })
  return join(folder, 'node_modules/@sparticuz/chromium/bin')
}

const CHROMIUM: Tool = {
  name: 'chromium-153.0.0/chromium',
  sha256: '53a15d6c3a3d27dfb54c4ba60278b1683136f70cf1e67e989da7dfbd3d451ef0',
  async fetch(folder) {
    return unpack(join(await fetchPackage(folder), 'chromium.br'), join(folder, 'chromium'))
  },
}

const LIBRARIES: Tool = {
  name: 'chromium-153.0.0/al2023.tar',
  sha256: '',
  async fetch(folder) {
    return unpack(join(await fetchPackage(folder), 'al2023.tar.br'), join(folder, 'al2023.tar'))
  },
}
