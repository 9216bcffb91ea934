import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUILD_STEPS } from './build-steps.mjs'
import { holdLock, inRoot, print, readJson, run } from './run.mjs'

const PROJECT = 'tsconfig.build.json'
/** Holds the hash of the sources that were built; written last, so a cut build has none. */
const STAMP = inRoot('dist', '.sources')
/** npm's list of installed packages; written last, too. */
const RECORD = 'node_modules/.package-lock.json'
const QUIET = ['--audit=false', '--fund=false', '--progress=false', '--update-notifier=false', '--loglevel=error']

function isInstalled() {
  if (!existsSync(inRoot(RECORD))) return false
  const { packages } = readJson(RECORD)
  // An optional one may be absent, most are for other platforms.
  return Object.entries(readJson('package-lock.json').packages).every(
    ([at, { version, optional }]) =>
      at === '' || optional || (packages[at]?.version === version && existsSync(inRoot(at, 'package.json'))),
  )
}

function hashSources() {
  const listFiles = (folder) => readdirSync(inRoot(folder), { recursive: true }).map((name) => join(folder, name))
  const files = ['package-lock.json', 'tsconfig.json', PROJECT, ...readJson(PROJECT).include.flatMap(listFiles).sort()]
  const hash = createHash('sha256')
  for (const file of files.filter((each) => statSync(inRoot(each), { throwIfNoEntry: false })?.isFile()))
    hash.update(`${file}\0${readFileSync(inRoot(file), 'latin1')}\0`)
  return hash.digest('hex')
}

const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashSources()

async function install() {
  print('Installing the packages …\n')
  // A dependency asks for a newer Node than it needs.
  await run('npm', 'ci', '--include=dev', '--ignore-scripts', '--engine-strict=false', ...QUIET)
}

async function build() {
  print('Building …\n')
  const hash = hashSources()
  mkdirSync(inRoot('dist'), { recursive: true })
  // Emptied, since a mount point cannot be removed.
  for (const name of readdirSync(inRoot('dist'))) rmSync(inRoot('dist', name), { recursive: true, force: true })
  for (const step of BUILD_STEPS) await step.run()
  writeFileSync(STAMP, hash)
}

/**
 * Installs what is missing and builds what changed; quick when there is nothing to do.
 * @param task `install` leaves the build out, `build` builds in any case
 */
export async function prepareFolder(task) {
  const needsBuild = () => task === 'build' || (task !== 'install' && !isBuilt())
  if (isInstalled() && !needsBuild()) return

  await holdLock()
  // Asked again: another start may have done it while this one waited.
  if (!isInstalled()) await install()
  if (needsBuild()) await build()
}
