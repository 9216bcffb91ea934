import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BUILD_STEPS } from './build-steps.mjs'
import { inRoot, print, ROOT, readJson } from './folder.mjs'
import { holdLock, LOCK_NAME } from './lock.mjs'
import { findNpm, run } from './run.mjs'

const PROJECT = 'tsconfig.build.json'
/** Holds the hash of the sources that were built; written last, so a cut build has none. */
const STAMP = inRoot('dist', '.sources')
/** npm's list of installed packages; written last, too. */
const RECORD = 'node_modules/.package-lock.json'
const QUIET = ['--audit=false', '--fund=false', '--progress=false', '--update-notifier=false', '--loglevel=error']
// A dependency asks for a newer Node than it needs.
const INSTALL = ['ci', '--include=dev', '--ignore-scripts', '--engine-strict=false', ...QUIET]

/** The packages of the lockfile; an optional one may be absent, most are for other platforms. */
const listPackages = () =>
  Object.entries(readJson('package-lock.json').packages).filter(([at, { optional }]) => at && !optional)

function isInstalled() {
  if (!existsSync(inRoot(RECORD))) return false
  const { packages } = readJson(RECORD)
  return listPackages().every(
    ([at, { version }]) => packages[at]?.version === version && existsSync(inRoot(at, 'package.json')),
  )
}

function hashSources() {
  const hash = createHash('sha256')
  const listFiles = (folder) =>
    readdirSync(inRoot(folder), { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
  const settings = ['package-lock.json', 'tsconfig.json', PROJECT].map((name) => inRoot(name))
  for (const file of [...settings, ...readJson(PROJECT).include.flatMap(listFiles).sort()]) {
    hash
      .update(`${relative(ROOT, file)}\0`)
      .update(readFileSync(file))
      .update('\0')
  }
  return hash.digest('hex')
}

const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashSources()

/** Deletes what is in a folder, not the folder itself: it may be a mount. */
function emptyFolder(name, kept) {
  for (const entry of existsSync(inRoot(name)) ? readdirSync(inRoot(name)) : []) {
    if (entry !== kept) rmSync(inRoot(name, entry), { recursive: true, force: true })
  }
}

/** Tells that a task is at work, and how long it took. */
async function tell(task, work) {
  const start = Date.now()
  print(`${task} …`)
  await work()
  print(` done in ${((Date.now() - start) / 1000).toFixed(1)} s\n`)
}

const install = () =>
  tell(`Installing ${listPackages().length} packages`, async () => {
    emptyFolder('node_modules')
    await run('installation', [...findNpm(), ...INSTALL])
  })

const build = () =>
  tell('Building', async () => {
    const hash = hashSources()
    emptyFolder('dist', LOCK_NAME)
    for (const step of BUILD_STEPS) await step.run()
    writeFileSync(STAMP, hash)
  })

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
