import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDER = join(ROOT, 'dist', 'test-programs')

const PROGRAMS = {
  'approve-and-die': 'test/support/processes/approve-and-die.ts',
  'change-and-die': 'test/support/processes/change-and-die.ts',
  'fill-and-die': 'test/support/processes/fill-and-die.ts',
  'reuse-and-die': 'test/support/processes/reuse-and-die.ts',
  'run-embedded': 'test/lib/embedded-mongo/run-embedded.ts',
  'run-writer': 'test/support/processes/run-writer.ts',
}

/** A module of the service is the built one, which no process has to compile again. */
const builtService: Plugin = {
  name: 'built service',
  setup({ onResolve }) {
    onResolve({ filter: /\.ts$/ }, ({ path, resolveDir }) => {
      const source = relative(ROOT, join(resolveDir, path))
      if (!source.startsWith('lib/')) return undefined
      const built = join(ROOT, 'dist', source.replace(/ts$/, 'js'))
      return { path: relative(FOLDER, built), external: true }
    })
  },
}

/** Builds the programs that tests run as processes of their own, beside the built service. */
export async function buildTestPrograms(): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS,
    outdir: FOLDER,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    plugins: [builtService],
    logLevel: 'error',
  })
}

export const testProgram = (name: keyof typeof PROGRAMS) => join(FOLDER, `${name}.mjs`)
