import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeRoutes } from './write-routes.mjs'

/** Names the processes at work in this folder, apart by spaces. */
const LOCK = '.prepare.lock'
const PROJECT = 'tsconfig.build.json'
/** Holds the hash of the sources that were built; written last, so a cut build has none. */
const STAMP = 'dist/.sources'
/** npm's list of installed packages; written last, too. */
const RECORD = 'node_modules/.package-lock.json'
const QUIET = ['--audit=false', '--fund=false', '--progress=false', '--update-notifier=false', '--loglevel=error']

const readJson = (name) => JSON.parse(readFileSync(name, 'utf8'))

function isAlive(processId) {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function takeLock() {
  try {
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isLockStale() {
  try {
    return !readFileSync(LOCK, 'utf8').split(' ').map(Number).some(isAlive)
  } catch {
    // Released meanwhile.
    return false
  }
}

/** Waits until no other start works in this folder, and keeps others out until this process ends. */
async function holdLock() {
  for (let isTold = false; !takeLock(); await sleep(100)) {
    if (isLockStale()) {
      rmSync(LOCK, { force: true })
    } else if (!isTold) {
      console.error('Waiting for another process in this folder … (if there is none, delete .prepare.lock)')
      isTold = true
    }
  }
  process.once('exit', () => rmSync(LOCK, { force: true }))
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
    process.once(signal, (_name, number) => process.exit(128 + number))
  }
}

/** Runs a program to its end. This process ends with it when it fails, and it with this process. */
async function run(command, ...args) {
  const program = spawn(command, args, { stdio: ['ignore', 2, 2] })
  process.once('exit', () => program.kill('SIGKILL'))
  // It may outlive this process when that is killed.
  writeFileSync(LOCK, `${process.pid} ${program.pid}`)
  const [code] = await once(program, 'close')
  if (code !== 0) process.exit(1)
}

/** Compiles with one checker: each of several, four by default, works out the types of all packages anew. */
const compile = (project) => run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', project, '--checkers', '1')

/**
 * Everything that makes `dist`, in order. Loaded when they run: they need the packages.
 * @public The bench times each.
 */
export const BUILD_STEPS = {
  async service() {
    await compile(PROJECT)
    cpSync('lib/ops/seed/images', 'dist/lib/ops/seed/images', { recursive: true })
    // What is built resolves `#lib` in `dist`.
    writeFileSync('dist/package.json', JSON.stringify({ type: 'module', imports: { '#lib/*': './lib/*.js' } }))
    const routes = readFileSync('functions/routes.d.ts', 'utf8').replaceAll(".ts')", ".js')")
    writeFileSync('dist/functions/routes.d.ts', routes)
  },
  async client() {
    await compile('lib/client/tsconfig.json')
    await import('./pack-client.mjs')
  },
  console: () => import('./bundle-console.mjs'),
}

function isInstalled() {
  if (!existsSync(RECORD)) return false
  const { packages } = readJson(RECORD)
  // An optional one may be absent, most are for other platforms.
  return Object.entries(readJson('package-lock.json').packages).every(
    ([at, { version, optional }]) =>
      at === '' || optional || (packages[at]?.version === version && existsSync(join(at, 'package.json'))),
  )
}

function hashSources() {
  const listFiles = (folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
  const files = ['package-lock.json', 'tsconfig.json', PROJECT, ...readJson(PROJECT).include.flatMap(listFiles).sort()]
  const hash = createHash('sha256')
  for (const file of files.filter((each) => statSync(each, { throwIfNoEntry: false })?.isFile()))
    hash.update(`${file}\0${readFileSync(file, 'latin1')}\0`)
  return hash.digest('hex')
}

async function build() {
  console.error('Building …')
  const hash = hashSources()
  mkdirSync('dist', { recursive: true })
  // Emptied, since a mount point cannot be removed.
  for (const name of readdirSync('dist')) rmSync(join('dist', name), { recursive: true, force: true })
  for (const step of Object.values(BUILD_STEPS)) await step()
  writeFileSync(STAMP, hash)
}

/**
 * Installs what is missing and builds what changed; quick when there is nothing to do.
 * @param task `install` leaves the build out, `build` builds in any case, `check` fails where the committed routes are stale
 */
export async function prepareFolder(task) {
  if (writeRoutes() && task === 'check') {
    console.error('functions/routes.d.ts did not name every endpoint; it was written anew: commit it.')
    process.exit(1)
  }
  const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashSources()
  const needsBuild = () => task === 'build' || (task !== 'install' && !isBuilt())
  if (isInstalled() && !needsBuild()) return

  await holdLock()
  // Asked again: another start may have done it while this one waited.
  if (!isInstalled()) {
    console.error('Installing the packages …')
    await run('npm', 'ci', '--include=dev', '--ignore-scripts', ...QUIET)
  }
  if (needsBuild()) await build()
}
