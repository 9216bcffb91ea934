import { existsSync } from 'node:fs'
import { emptyFolder, inRoot, readJson } from './folder.mjs'
import { findNpm } from './npm.mjs'
import { run } from './run.mjs'
import { refusal, say, secondsSince } from './say.mjs'

const RECORD = 'node_modules/.package-lock.json'
const FLAGS = [
  '--include=dev',
  '--ignore-scripts',
  // A dependency asks for a newer Node than it needs.
  '--engine-strict=false',
  '--audit=false',
  '--fund=false',
  '--progress=false',
  '--update-notifier=false',
  '--loglevel=error',
]
const NETWORK_ERROR =
  /\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|ERR_SOCKET_TIMEOUT)\b/

/** What the lockfile asks for; an optional package may be absent, most are for other platforms. */
function listWantedPackages() {
  const { packages } = readJson('package-lock.json')
  return Object.entries(packages).filter(([folder, facts]) => folder !== '' && !facts.optional)
}

const isThere = ([folder]) => existsSync(inRoot(folder, 'package.json'))

/** Whether all packages are there in the versions of the lockfile. npm writes its record last, so a cut install has none. */
export function isInstalled() {
  if (!existsSync(inRoot(RECORD))) return false
  const { packages } = readJson(RECORD)
  return listWantedPackages().every(
    ([folder, { version }]) => packages[folder]?.version === version && isThere([folder]),
  )
}

/**
 * Installs what the lockfile names, the tools for building included.
 * @throws a refusal when npm or the network is missing
 */
export async function install() {
  const start = Date.now()
  const wanted = listWantedPackages()
  say(`Installing ${wanted.length} packages …`)
  emptyFolder('node_modules')

  let shown = 0
  const showProgress = () => {
    const percent = Math.floor((100 * wanted.filter(isThere).length) / wanted.length)
    say(percent > shown ? ` ${percent}%` : '.')
    shown = Math.max(shown, percent)
  }
  const [command, ...args] = [...findNpm(), 'ci', ...FLAGS]
  const { code, printed } = await run(command, args, { onHeartbeat: showProgress }).catch((error) => {
    throw error.code === 'ENOENT' ? refusal('npm was not found: it comes with Node and installs the packages.') : error
  })
  if (code !== 0) throw refusal(explainFailure(printed))
  say(` done in ${secondsSince(start)}\n`)
}

function explainFailure(printed) {
  const code = NETWORK_ERROR.exec(printed)?.[0]
  return code === undefined
    ? `npm ci failed:\n${printed.trim()}`
    : `The packages could not be downloaded (${code}): a first start needs the network, to reach npm's registry.`
}
