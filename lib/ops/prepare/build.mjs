import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildClient } from './build-client.mjs'
import { emptyFolder, inRoot, readJson } from './folder.mjs'
import { LOCK_NAME } from './lock.mjs'
import { findNpm } from './npm.mjs'
import { run } from './run.mjs'
import { refusal, say, secondsSince } from './say.mjs'

const PROJECT = 'tsconfig.build.json'
/** Holds the hash of the sources that were built; written last, so a cut build has none. */
const STAMP = inRoot('dist', '.sources')

function listFiles(folder) {
  return readdirSync(inRoot(folder), { withFileTypes: true }).flatMap((entry) => {
    const name = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(name) : [name]
  })
}

function hashSources() {
  const hash = createHash('sha256')
  const sources = readJson(PROJECT).include.flatMap(listFiles).sort()
  for (const name of ['package-lock.json', 'tsconfig.json', PROJECT, ...sources]) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(inRoot(name)))
      .update('\0')
  }
  return hash.digest('hex')
}

/** Whether `dist` was made from the sources as they are now. */
export const isBuilt = () => existsSync(STAMP) && readFileSync(STAMP, 'utf8') === hashSources()

async function runOrRefuse(command, ...args) {
  const { code, printed } = await run(command, args, { onHeartbeat: () => say('.') })
  if (code !== 0) throw refusal(`The build failed:\n${printed.trim()}`)
}

const compile = (project) =>
  runOrRefuse(process.execPath, inRoot('node_modules', 'typescript', 'bin', 'tsc'), '-p', project)

/**
 * Makes `dist` anew.
 * @throws a refusal with the compiler's messages
 */
export async function build() {
  const start = Date.now()
  const hash = hashSources()
  say('Building …')
  emptyFolder('dist', LOCK_NAME)

  await compile(PROJECT)
  await buildClient({ compile, npm: (args) => runOrRefuse(...findNpm(), ...args) })
  const { bundleConsole } = await import('./bundle-console.mjs')
  await bundleConsole()
  writeFileSync(STAMP, hash)
  say(` done in ${secondsSince(start)}\n`)
}
