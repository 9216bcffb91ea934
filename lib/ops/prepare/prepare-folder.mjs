import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeRoutes } from './write-routes.mjs'

/** Lists the ids of the processes that work in this folder, separated by spaces. */
const LOCK = '.prepare.lock'
const PROJECT = 'tsconfig.build.json'
/** A link to the newest build. */
const NEWEST = 'dist'
/** Each build has a folder of its own in there, so that a build changes nothing that a running service reads. */
const BUILDS = '.builds'
/** Holds the hash of the sources of a build. */
const STAMP = '.sources'
/** npm's list of the installed packages. npm writes it last. */
const RECORD = 'node_modules/.package-lock.json'
const QUIET = ['--audit=false', '--fund=false', '--progress=false', '--update-notifier=false', '--loglevel=error']

const readJson = (name) => JSON.parse(fs.readFileSync(name, 'utf8'))

function isAlive(processId) {
  try {
    return process.kill(processId, 0)
  } catch (error) {
    return error.code === 'EPERM'
  }
}

function takeLock() {
  try {
    fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  }
}

function isLockStale() {
  try {
    return !fs.readFileSync(LOCK, 'utf8').split(' ').map(Number).some(isAlive)
  } catch {
    // Another process has released the lock.
    return false
  }
}

/** Waits until no other start works in this folder, and holds the lock until this process ends. */
async function holdLock() {
  for (let hasPrinted = false; !takeLock(); await sleep(100)) {
    if (isLockStale()) {
      fs.rmSync(LOCK, { force: true })
    } else if (!hasPrinted) {
      console.error('Waiting for another process in this folder … (if there is none, delete .prepare.lock)')
      hasPrinted = true
    }
  }
  process.once('exit', () => fs.rmSync(LOCK, { force: true }))
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
    process.once(signal, (_name, number) => process.exit(128 + number))
  }
}

/** Runs a program to its end. A failed program ends this process, and the end of this process kills the program. */
async function run(command, ...args) {
  const program = spawn(command, args, { stdio: ['ignore', 2, 2] })
  process.once('exit', () => program.kill('SIGKILL'))
  // The program may outlive this process when this process is killed.
  fs.writeFileSync(LOCK, `${process.pid} ${program.pid}`)
  const [code] = await once(program, 'close')
  if (code !== 0) process.exit(1)
}

/** Compiles with one checker. Each of the default four would check the types of all packages again. */
const compile = (project, folder) =>
  run(process.execPath, 'node_modules/typescript/bin/tsc', '-p', project, '--checkers', '1', '--outDir', folder)

/** The steps that build into a folder, in order. A step imports what needs the packages only when it runs. */
const BUILD_STEPS = {
  async service(folder) {
    await compile(PROJECT, folder)
    fs.cpSync('lib/ops/seed/images', join(folder, 'lib/ops/seed/images'), { recursive: true })
    // The build resolves `#lib` in its folder.
    const manifest = { type: 'module', imports: { '#lib/*': './lib/*.js' } }
    fs.writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const routes = fs.readFileSync('functions/routes.d.ts', 'utf8').replaceAll(".ts')", ".js')")
    fs.writeFileSync(join(folder, 'functions/routes.d.ts'), routes)
  },
  async client(folder) {
    const project = join(folder, 'tsconfig.client.json')
    const paths = { '#functions': ['./functions/routes.d.ts'] }
    fs.writeFileSync(
      project,
      JSON.stringify({ extends: resolve('lib/client/tsconfig.json'), compilerOptions: { paths } }),
    )
    await compile(project, join(folder, 'client-package'))
    const { packClient } = await import('./pack-client.mjs')
    packClient(folder)
  },
  async pages(folder) {
    const { bundlePages } = await import('./bundle-pages.mjs')
    await bundlePages(folder)
  },
}

function isInstalled() {
  if (!fs.existsSync(RECORD)) return false
  const { packages } = readJson(RECORD)
  // Optional packages may be absent, because most are for other platforms.
  return Object.entries(readJson('package-lock.json').packages).every(
    ([at, { version, optional }]) =>
      at === '' || optional || (packages[at]?.version === version && fs.existsSync(join(at, 'package.json'))),
  )
}

function hashSources() {
  const listFiles = (folder) => fs.readdirSync(folder, { recursive: true }).map((name) => join(folder, name))
  const files = ['package-lock.json', 'tsconfig.json', PROJECT, ...readJson(PROJECT).include.flatMap(listFiles).sort()]
  const hash = createHash('sha256')
  for (const file of files.filter((path) => fs.statSync(path, { throwIfNoEntry: false })?.isFile()))
    hash.update(`${file}\0${fs.readFileSync(file, 'latin1')}\0`)
  return hash.digest('hex')
}

/** Builds into a new folder, and switches to it by one rename. The build before stays for services that are starting. */
async function build() {
  console.error('Building …')
  const hash = hashSources()
  const before = fs.lstatSync(NEWEST, { throwIfNoEntry: false })
  const kept = before?.isSymbolicLink() ? fs.readlinkSync(NEWEST) : undefined
  fs.mkdirSync(BUILDS, { recursive: true })
  for (const name of fs.readdirSync(BUILDS)) {
    if (join(BUILDS, name) !== kept) fs.rmSync(join(BUILDS, name), { recursive: true })
  }
  const folder = join(BUILDS, String(Date.now()))
  fs.mkdirSync(folder)
  for (const step of Object.values(BUILD_STEPS)) await step(folder)
  fs.writeFileSync(join(folder, STAMP), hash)
  const link = join(BUILDS, 'newest')
  fs.symlinkSync(folder, link)
  // A rename replaces a link, but not the folder that `npm run dev` makes where nothing was built.
  if (before !== undefined && kept === undefined) fs.rmSync(NEWEST, { recursive: true })
  fs.renameSync(link, NEWEST)
}

/** Installs missing packages and builds changed sources. `task` is `install`, `build`, `check` or undefined. */
export async function prepareFolder(task) {
  if (writeRoutes() && task === 'check') {
    console.error('functions/routes.d.ts did not name every endpoint; it was written anew: commit it.')
    process.exit(1)
  }
  const stamp = join(NEWEST, STAMP)
  const isBuilt = () => fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === hashSources()
  const needsBuild = () => task === 'build' || (task !== 'install' && !isBuilt())
  if (isInstalled() && !needsBuild()) return

  await holdLock()
  // Checks again, because another start may have installed meanwhile.
  if (!isInstalled()) {
    console.error('Installing the packages …')
    await run('npm', 'ci', '--include=dev', '--ignore-scripts', ...QUIET)
  }
  if (needsBuild()) await build()
}
