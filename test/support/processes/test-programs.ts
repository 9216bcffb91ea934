import { realpathSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { builtService } from '../tools/built-service.ts'
import { startProgram } from './start-program.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const BUILT = join(ROOT, 'dist')
const FOLDER = join(BUILT, 'test-programs')

const PROGRAMS = {
  'change-and-die': 'test/support/processes/change-and-die.ts',
  'fill-and-die': 'test/support/processes/fill-and-die.ts',
  'run-embedded': 'test/lib/infrastructure/embedded-mongo/run-embedded.ts',
  'run-job': 'test/support/processes/run-job.ts',
  'run-migration': 'test/support/processes/run-migration.ts',
}

const LOADER = 'lib/web/http/load-functions.js'

/** A native package cannot be bundled, and few programs load the others. */
const UNBUNDLED = ['@node-rs/argon2', '@node-rs/bcrypt', '@aws-sdk/*', 'mongodb-memory-server-core']

/** A module of the service is the built one, which finds the files beside it where it was built. */
const bundledService: Plugin = {
  name: 'built service',
  setup({ onResolve, onLoad }) {
    // The folder behind the link, where the modules find one another: each is loaded once.
    const built = realpathSync(BUILT)
    onResolve({ filter: /\.ts$|^#lib\// }, ({ path, importer }) => {
      const file = importer === '' ? undefined : builtService.resolveId(path, importer)
      return file === undefined ? undefined : { path: realpathSync(file) }
    })
    onLoad({ filter: /\.js$/ }, async ({ path }) => {
      if (!path.startsWith(built + sep)) return undefined
      const code = await readFile(path, 'utf8')
      // The endpoints are bundled, too; every other file stays where it was built.
      const place = path === join(built, LOADER) ? join(FOLDER, LOADER) : path
      return { contents: code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(place).href)) }
    })
  },
}

/** Lists the programs that a deployer starts, and the endpoints, which the service loads by their paths. */
async function listServicePrograms(): Promise<Record<string, string>> {
  const files = await readdir(realpathSync(BUILT), { recursive: true })
  const names = files.filter((file) => /^(lib\/main|lib\/ops\/commands\/.+-command|functions\/.+)\.js$/.test(file))
  return Object.fromEntries(names.map((file) => [file.slice(0, -'.js'.length), join(BUILT, file)]))
}

/**
 * Builds the programs that tests run as processes of their own, from the built service. Tests run them dozens of times for
 * a moment, and loading a thousand files would take most of it.
 */
export async function buildTestPrograms(): Promise<void> {
  for (const entryPoints of [PROGRAMS, await listServicePrograms()]) {
    await build({
      absWorkingDir: ROOT,
      entryPoints,
      outdir: FOLDER,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      external: UNBUNDLED,
      // Packages that are not ES modules ask for those of Node.
      banner: {
        js: `import { createRequire as createPackageRequire } from 'node:module'
const require = createPackageRequire(import.meta.url)`,
      },
      plugins: [bundledService],
      logLevel: 'error',
    })
  }
}

/** Builds the endpoints of tests: the built service loads them by their path, which Node cannot do with TypeScript. */
export async function buildFixtures(): Promise<void> {
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['test/fixtures/**/*.ts'],
    outbase: 'test/fixtures',
    outdir: join(BUILT, 'test/fixtures'),
    bundle: true,
    format: 'esm',
    packages: 'external',
    external: ['#lib/*'],
  })
}

/** The path of a built program: one of those above, `lib/main` or `lib/ops/commands/<name>`. */
export const testProgram = (name: string) => join(FOLDER, `${name}.js`)

export function startTestProgram(name: keyof typeof PROGRAMS, argument: unknown, own: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env
  const args = [testProgram(name), JSON.stringify(argument)]
  return startProgram(process.execPath, args, { cwd: process.cwd(), env: { PATH, HOME, ...own } })
}
