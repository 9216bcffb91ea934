import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { provideTool } from '../../support/tools/provide-tool.ts'

const execute = promisify(execFile)
const VERSION = '5.9.3'

/** Unpacks the compiler of the SPA below a folder and answers its program. */
export async function unpackTypeScriptFive(folder: string): Promise<string> {
  const tarball = await provideTool({
    name: `typescript-${VERSION}.tgz`,
    sha256: '10e108c9cf7d5f2879053dff18515fb405abf2ccef63eaaf017d9c571687a1d3',
    async fetch(to) {
      await execute('npm', ['pack', `typescript@${VERSION}`, '--silent'], { cwd: to })
      return join(to, `typescript-${VERSION}.tgz`)
    },
  })
  await execute('tar', ['-xzf', tarball, '-C', folder])
  return join(folder, 'package', 'bin', 'tsc')
}
