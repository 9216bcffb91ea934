import { cpSync } from 'node:fs'
import { inRoot } from './folder.mjs'
import { findNpm, run } from './run.mjs'

/** Compiles with one checker: each of several, four by default, works out the types of all packages anew. */
const compile = (project) =>
  run('build', [process.execPath, inRoot('node_modules', 'typescript', 'bin', 'tsc'), '-p', project, '--checkers', '1'])

/** Everything that makes `dist`, in order. Loaded when they run: they need the packages. */
export const BUILD_STEPS = [
  { name: 'service', run: () => compile('tsconfig.build.json') },
  {
    name: 'images of the first data',
    run: () => cpSync(inRoot('lib/seed/images'), inRoot('dist/lib/seed/images'), { recursive: true }),
  },
  {
    name: 'client',
    async run() {
      const { buildClient } = await import('./build-client.mjs')
      await buildClient({ compile, npm: (args) => run('build', [...findNpm(), ...args]) })
    },
  },
  {
    name: 'console',
    async run() {
      const { bundleConsole } = await import('./bundle-console.mjs')
      await bundleConsole()
    },
  },
]
