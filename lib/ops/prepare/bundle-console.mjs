import { rmSync } from 'node:fs'
import * as esbuild from 'esbuild'
import { inRoot } from './folder.mjs'
import { refusal } from './say.mjs'

/**
 * Writes what a browser loads of the console: one script and one style for the page, and a script for each view that is
 * loaded when it is opened. Their names change with their content.
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
  }
  await esbuild.build(options).catch(async ({ errors, message }) => {
    const printed = errors === undefined ? message : (await esbuild.formatMessages(errors, { kind: 'error' })).join('')
    throw refusal(`The console could not be bundled:\n${printed.trim()}`)
  })
}
