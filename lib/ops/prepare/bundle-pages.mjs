// Bundles the pages. Each file is also written compressed. Names change with their content.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import * as esbuild from 'esbuild'

const CONSOLE = 'lib/console/main.tsx'
/** This package has both files, and unlike others no script that calls home. */
const SWAGGER = ['swagger-ui.css', 'swagger-ui-bundle.js'].map(
  (name) => `node_modules/@fastify/swagger-ui/static/${name}`,
)
/** The best quality takes eight seconds for a script of 1.5 MB. */
const QUICK = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }

async function bundle(outdir, options, quality) {
  rmSync(outdir, { recursive: true, force: true })
  mkdirSync(outdir, { recursive: true })
  const { outputFiles } = await esbuild.build({ outdir, entryNames: '[name].[hash]', write: false, ...options })
  for (const { path, contents } of outputFiles) {
    writeFileSync(path, contents)
    writeFileSync(`${path}.br`, brotliCompressSync(contents, quality))
    writeFileSync(`${path}.gz`, gzipSync(contents))
  }
}

/** Bundles one script and one style of the console, with scripts that views load on demand, and the files of `/docs`. */
export async function bundlePages(folder) {
  await bundle(join(folder, 'console'), {
    entryPoints: { main: CONSOLE },
    // Every script imports the entry, so that modules which several scripts share are in the entry, and not in many small scripts.
    inject: [CONSOLE],
    chunkNames: '[name].[hash]',
    tsconfig: 'lib/console/tsconfig.json',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome123', 'firefox121', 'safari17.5'],
    legalComments: 'none',
  })
  const entryPoints = ['lib/web/docs/page.css', 'lib/web/docs/page.js', ...SWAGGER]
  await bundle(join(folder, 'docs'), { entryPoints, loader: { '.css': 'copy', '.js': 'copy' } }, QUICK)
}
