// Bundles the console: one script and one style for the page, and scripts that views load on demand. Each file is also
// written compressed. Names change with their content.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'

const ENTRY = 'lib/console/main.tsx'

export async function bundleConsole(folder) {
  const outdir = join(folder, 'console')
  rmSync(outdir, { recursive: true, force: true })
  mkdirSync(outdir, { recursive: true })
  const { outputFiles } = await esbuild.build({
    entryPoints: { main: ENTRY },
    // All scripts share the page's entry, which becomes one script. Otherwise each set of scripts with common modules would get
    // a script of its own.
    inject: [ENTRY],
    outdir,
    entryNames: '[name].[hash]',
    chunkNames: '[name].[hash]',
    tsconfig: 'lib/console/tsconfig.json',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    legalComments: 'none',
    write: false,
  })
  for (const { path, contents } of outputFiles) {
    writeFileSync(path, contents)
    writeFileSync(`${path}.br`, brotliCompressSync(contents))
    writeFileSync(`${path}.gz`, gzipSync(contents))
  }
}
