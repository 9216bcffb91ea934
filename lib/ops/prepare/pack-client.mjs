// Packs the compiled client into the package that an SPA installs, and into the archive that the service serves.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'

const PACKAGE = 'dist/client-package'
const { name, version, engines, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))

const isDeclaration = (file) => statSync(file).isDirectory() || file.endsWith('.d.ts')
cpSync('dist/functions', `${PACKAGE}/functions`, { recursive: true, filter: isDeclaration })

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
writeFileSync(`${PACKAGE}/package.json`, `${JSON.stringify(manifest, null, 2)}\n`)

const options = { stdio: ['ignore', 'ignore', 'inherit'] }
execFileSync('npm', ['pack', `./${PACKAGE}`, '--pack-destination', 'dist', '--ignore-scripts', '--silent'], options)
renameSync(`dist/${name}-${version}.tgz`, 'dist/client.tgz')
