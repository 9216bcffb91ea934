import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { shellEnvironment } from '../../support/processes/shell-environment.ts'
import { type Started, startProgram } from '../../support/processes/start-program.ts'
import { useFolder } from '../../support/service/use-folder.ts'

const execute = promisify(execFile)
const REPOSITORY = join(import.meta.dirname, '../../..')

/** A stand-in for the compiler. It counts builds of the service, waits while a file exists, and refuses a source with a mistake. */
const COMPILER = `
import { appendFileSync, cpSync, existsSync, readFileSync } from 'node:fs'
if (!process.argv.includes('tsconfig.build.json')) process.exit()
appendFileSync('builds.log', 'built\\n')
while (existsSync('keep-building')) await new Promise((resolve) => setTimeout(resolve, 50))
if (readFileSync('lib/main.ts', 'utf8').includes('mistake')) {
  console.log('lib/main.ts(1,1): error TS1: A mistake')
  process.exit(2)
}
const folder = process.argv.at(-1)
cpSync('lib/main.ts', folder + '/lib/main.js')
cpSync('functions', folder + '/functions', { recursive: true })
`

/** A service that prints when it is up, and needs a moment to stop. */
const SERVICE = `
const stop = (signal) => {
  console.log('stopping on ' + signal)
  setTimeout(() => process.exit(0), 100)
}
process.once('SIGTERM', stop).once('SIGINT', stop)
process.on('SIGTERM', () => {}).on('SIGINT', () => {})
setInterval(() => {}, 1000)
console.log('up ' + process.pid)
`

async function write(folder: string, files: Record<string, string>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
}

async function pack(folder: string, name: string, files: Record<string, string>): Promise<void> {
  const source = join(folder, 'vendor', name)
  await write(join(source, 'package'), { 'package.json': JSON.stringify({ name, version: '1.0.0' }), ...files })
  await execute('tar', ['-czf', join(folder, 'vendor', `${name}.tgz`), '-C', source, 'package'])
}

/** Creates a small clone: the scripts and the preparation of the project, packages from files, a stand-in for the compiler. */
export async function createSmallClone(): Promise<string> {
  const folder = await useFolder()
  const { engines, scripts } = JSON.parse(await readFile(join(REPOSITORY, 'package.json'), 'utf8'))
  await pack(folder, 'typescript', {
    'bin/tsc': COMPILER,
    'package.json': '{"name":"typescript","version":"1.0.0","type":"module"}',
  })
  await pack(folder, 'lantern', {})
  await write(folder, {
    'package.json': JSON.stringify({
      name: 'small-clone',
      version: '1.0.0',
      type: 'module',
      engines,
      scripts,
      dependencies: { lantern: 'file:vendor/lantern.tgz' },
      devDependencies: { typescript: 'file:vendor/typescript.tgz' },
    }),
    'tsconfig.json': '{}',
    'tsconfig.build.json': JSON.stringify({ include: ['functions', 'realtime', 'lib'] }),
    'functions/routes.d.ts': '',
    'realtime/server.ts': '',
    'lib/main.ts': SERVICE,
    'lib/ops/seed/images/cover.png': '',
  })
  await cp(join(REPOSITORY, 'lib/ops/prepare.mjs'), join(folder, 'lib/ops/prepare.mjs'))
  await cp(join(REPOSITORY, 'lib/ops/prepare'), join(folder, 'lib/ops/prepare'), { recursive: true })
  // The small clone has no compiled service, which these steps need.
  await write(join(folder, 'lib/ops/prepare'), {
    'pack-client.mjs': 'export const packClient = () => {}',
    'bundle-pages.mjs': 'export const bundlePages = () => {}',
  })
  await execute('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: folder, env: shellEnvironment() })
  return folder
}

export const start = (folder: string, command: string, args: string[], env: Record<string, string> = {}): Started =>
  startProgram(command, args, { cwd: folder, env: shellEnvironment(env) })

export const prepare = (folder: string, args: string[] = [], env: Record<string, string> = {}) =>
  start(folder, process.execPath, ['lib/ops/prepare.mjs', ...args], env).ended

export async function countBuilds(folder: string): Promise<number> {
  const log = await readFile(join(folder, 'builds.log'), 'utf8').catch(() => '')
  return log.split('\n').length - 1
}
