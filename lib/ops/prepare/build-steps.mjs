import { cpSync } from 'node:fs'
import { compile, inRoot } from './run.mjs'

/** Everything that makes `dist`, in order. Loaded when they run: they need the packages. */
export const BUILD_STEPS = [
  { name: 'service', run: () => compile('tsconfig.build.json') },
  {
    name: 'images of the first data',
    run: () => cpSync(inRoot('lib/seed/images'), inRoot('dist/lib/seed/images'), { recursive: true }),
  },
  { name: 'client', run: () => import('./build-client.mjs') },
  { name: 'console', run: () => import('./bundle-console.mjs') },
]
