import { copyFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inRoot, readJson } from './folder.mjs'

/** Builds the package that an SPA installs, and the archive that the service serves. */
const PACKAGE = join('dist', 'client-package')
const TARBALL = inRoot('dist', 'client.tgz')

function listDeclarations() {
  return readdirSync(inRoot('dist', 'functions'), { recursive: true })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.d.ts'))
    .sort()
}

/** Names each endpoint by its route, from the names of the files alone: no module of the service is loaded. */
async function writeFunctionNames() {
  const { parseRoute } = await import(pathToFileURL(inRoot('dist', 'lib', 'http', 'parse-route.js')).href)
  const lines = listDeclarations().flatMap((declaration) => {
    const file = declaration.replace(/\.d\.ts$/, '.js')
    const route = parseRoute(file)
    return route === null ? [] : [`  '${route.method} ${route.path}': typeof import('./functions/${file}').default\n`]
  })
  writeFileSync(inRoot('dist', 'functions.d.ts'), `export interface Functions {\n${lines.join('')}}\n`)
}

function copyDeclarations() {
  for (const file of ['functions.d.ts', ...listDeclarations().map((name) => join('functions', name))]) {
    const copy = inRoot(PACKAGE, file)
    mkdirSync(dirname(copy), { recursive: true })
    copyFileSync(inRoot('dist', file), copy)
  }
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
    imports: { '#functions': { types: './functions.d.ts' } },
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
  await writeFunctionNames()
  await compile(join('lib', 'client', 'tsconfig.json'))
  copyDeclarations()
  writePackageJson()
  const { name, version } = readJson('package.json')
  await npm([
    'pack',
    `./${PACKAGE.replaceAll('\\', '/')}`,
    '--pack-destination',
    'dist',
    '--ignore-scripts',
    '--silent',
  ])
  renameSync(inRoot('dist', `${name}-${version}.tgz`), TARBALL)
}
