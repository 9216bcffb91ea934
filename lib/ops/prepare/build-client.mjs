// Builds the package that an SPA installs, and the archive of it that the service serves, from the compiled service.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { compile, inRoot, ROOT, readJson } from './run.mjs'

const PACKAGE = 'dist/client-package'
const { name, version, engines, dependencies, devDependencies } = readJson('package.json')

// The declarations of the endpoints go into the package, and their routes beside the built service, too.
const routes = readFileSync(inRoot('functions', 'routes.d.ts'), 'utf8').replaceAll(".ts')", ".js')")
writeFileSync(inRoot('dist', 'functions', 'routes.d.ts'), routes)
const isDeclaration = (file) => statSync(file).isDirectory() || file.endsWith('.d.ts')
cpSync(inRoot('dist', 'functions'), inRoot(PACKAGE, 'functions'), { recursive: true, filter: isDeclaration })

await compile('lib/client/tsconfig.json')

const entry = (folder) => ({ types: `./lib/${folder}/index.d.ts`, default: `./lib/${folder}/index.js` })
const manifest = {
  name,
  version,
  description: `The typed client and the contract of ${name}`,
  type: 'module',
  sideEffects: false,
  engines,
  exports: { './client': entry('client'), './contract': entry('contract') },
  imports: { '#functions': { types: './functions/routes.d.ts' } },
  peerDependencies: {
    'socket.io-client': `^${devDependencies['socket.io-client']}`,
    zod: `^${dependencies.zod}`,
  },
}
writeFileSync(inRoot(PACKAGE, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

const options = { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] }
execFileSync('npm', ['pack', `./${PACKAGE}`, '--pack-destination', 'dist', '--ignore-scripts', '--silent'], options)
renameSync(inRoot('dist', `${name}-${version}.tgz`), inRoot('dist', 'client.tgz'))
