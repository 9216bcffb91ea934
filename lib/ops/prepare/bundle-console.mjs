import { mkdirSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, gzip } from 'node:zlib'
import * as esbuild from 'esbuild'
import { inRoot } from './folder.mjs'
import { refusal } from './print.mjs'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)

/**
 * Writes what a browser loads of the console: one script and one style for the page, and scripts that are loaded with
 * the first view that needs them; each also compressed. Their names change with their content.
 * @throws a refusal with the bundler's messages
 */
export async function bundleConsole() {
  rmSync(inRoot('dist', 'console'), { recursive: true, force: true })
  const options = {
    absWorkingDir: inRoot(),
    entryPoints: { main: 'lib/console/main.tsx' },
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
