import { cpSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { inRoot, readJson } from './folder.mjs'

/** Builds the package that an SPA installs, and the archive that the service serves. */
const PACKAGE = 'dist/client-package'
const TARBALL = inRoot('dist', 'client.tgz')

/** Puts the declarations of the endpoints into the package, and their routes beside the built service, too. */
function copyDeclarations() {
  const routes = readFileSync(inRoot('functions', 'routes.d.ts'), 'utf8').replaceAll(".ts')", ".js')")
  writeFileSync(inRoot('dist', 'functions', 'routes.d.ts'), routes)
  const isDeclaration = (file) => statSync(file).isDirectory() || file.endsWith('.d.ts')
  cpSync(inRoot('dist', 'functions'), inRoot(PACKAGE, 'functions'), { recursive: true, filter: isDeclaration })
}

function writePackageJson() {
  const { name, version, engines, dependencies, devDependencies } = readJson('package.json')
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
}

/**
 * Builds the package of the client from the compiled service, and the tarball of it.
 * @param compile runs the compiler on a project
 * @param npm runs npm
 */
export async function buildClient({ compile, npm }) {
  copyDeclarations()
  await compile('lib/client/tsconfig.json')
  writePackageJson()
  const { name, version } = readJson('package.json')
  await npm(['pack', `./${PACKAGE}`, '--pack-destination', 'dist', '--ignore-scripts', '--silent'])
  renameSync(inRoot('dist', `${name}-${version}.tgz`), TARBALL)
}
