// Packs the compiled client into the package that an SPA installs, and into the archive that the service serves.
import { execFileSync } from 'node:child_process'
import { cpSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const isDeclaration = (file) => statSync(file).isDirectory() || file.endsWith('.d.ts')
const entry = (folder) => ({ types: `./lib/${folder}/index.d.ts`, default: `./lib/${folder}/index.js` })

export function packClient(folder) {
  const packed = join(folder, 'client-package')
  const { name, version, engines, dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  cpSync(join(folder, 'functions'), join(packed, 'functions'), { recursive: true, filter: isDeclaration })
  const manifest = {
    name,
    version,
    description: `The typed client and the contract of ${name}`,
    type: 'module',
    sideEffects: false,
    engines,
    exports: { './client': entry('client'), './contract': entry('contract') },
    imports: { '#functions': { types: './functions/routes.d.ts' }, '#lib/*': { types: './lib/*.d.ts' } },
    peerDependencies: {
      'socket.io-client': `^${devDependencies['socket.io-client']}`,
      zod: `^${dependencies.zod}`,
    },
  }
  cpSync('lib/client/README.md', join(packed, 'README.md'))
  writeFileSync(join(packed, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)

  const options = { stdio: ['ignore', 'ignore', 'inherit'] }
  const flags = ['--pack-destination', folder, '--ignore-scripts', '--silent']
  execFileSync('npm', ['pack', `./${packed}`, ...flags], options)
  renameSync(join(folder, `${name}-${version}.tgz`), join(folder, 'client.tgz'))
}
