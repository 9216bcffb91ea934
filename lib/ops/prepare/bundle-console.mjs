// Writes what a browser loads of the console: one script and one style for the page, and scripts that are loaded with the
// first view that needs them; each also compressed. Their names change with their content.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { extname, resolve } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'
import { inRoot } from './run.mjs'

const ENTRY = 'lib/console/main.tsx'

/**
 * Lets whatever is loaded later import the page's entry: what the page needs at once is then shared by all of them, so it
 * becomes one script. Left alone, the bundler makes one for each set of later ones that share something.
 */
const shareEntry = {
  name: 'share-entry',
  setup(build) {
    const later = new Set()
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind === 'dynamic-import' && !resolveDir.includes('node_modules')) later.add(resolve(resolveDir, path))
      return undefined
    })
    build.onLoad({ filter: /lib.console.*\.tsx?$/ }, ({ path }) => {
      if (!later.has(path)) return undefined
      const contents = `${readFileSync(path, 'utf8')}\nimport ${JSON.stringify(inRoot(ENTRY))}\n`
      return { contents, loader: extname(path).slice(1) }
    })
  },
}

rmSync(inRoot('dist', 'console'), { recursive: true, force: true })
mkdirSync(inRoot('dist', 'console'), { recursive: true })
const { outputFiles } = await esbuild.build({
  absWorkingDir: inRoot(),
  entryPoints: { main: ENTRY },
  plugins: [shareEntry],
  outdir: 'dist/console',
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
