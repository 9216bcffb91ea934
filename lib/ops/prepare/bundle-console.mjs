import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'
import { inRoot, refusal } from './folder.mjs'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

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

/**
 * Writes what a browser loads of the console: one script and one style for the page, and scripts that are loaded with
 * the first view that needs them; each also compressed. Their names change with their content.
 * @throws a refusal with the bundler's messages
 */
export async function bundleConsole() {
  rmSync(inRoot('dist', 'console'), { recursive: true, force: true })
  const options = {
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
    logLevel: 'silent',
    write: false,
  }
  const { outputFiles } = await esbuild.build(options).catch(async ({ errors, message }) => {
    const printed = errors === undefined ? message : (await esbuild.formatMessages(errors, { kind: 'error' })).join('')
    throw refusal(`The console could not be bundled:\n${printed.trim()}`)
  })
  mkdirSync(inRoot('dist', 'console'), { recursive: true })
  await Promise.all(outputFiles.map(({ path, contents }) => writeCompressed(path, contents)))
}

async function writeCompressed(path, contents) {
  const [br, gz] = await Promise.all([compressBrotli(contents), compressGzip(contents)])
  await Promise.all([writeFile(path, contents), writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
