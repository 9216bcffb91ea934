import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export const inRoot = (...names) => join(ROOT, ...names)

export const readJson = (name) => JSON.parse(readFileSync(inRoot(name), 'utf8'))

const LOCK = inRoot('.prepare.lock')

/** Tells a person what happens, apart from what a command prints as its result. */
export const print = (text) => process.stderr.write(text)

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

function isStale() {
  try {
    return !readFileSync(LOCK, 'utf8').split(' ').map(Number).some(isAlive)
  } catch {
    // Released meanwhile.
    return false
  }
}

/** Waits until no other start works in this folder, and keeps others out until this process ends. */
export async function holdLock() {
  for (let isTold = false; !takeLock(); await sleep(100)) {
    if (isStale()) {
      rmSync(LOCK, { force: true })
    } else if (!isTold) {
      print('Waiting for another process in this folder … (if there is none, delete .prepare.lock)\n')
      isTold = true
    }
  }
  process.once('exit', () => rmSync(LOCK, { force: true }))
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM']) {
    process.once(signal, (_name, number) => process.exit(128 + number))
  }
}

/** Runs a program to its end, under the lock. This process ends with it when it fails, and it with this process. */
export async function run(command, ...args) {
  const program = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 2, 2] })
  const kill = () => program.kill('SIGKILL')
  process.once('exit', kill)
  // It may outlive this process when that is killed.
  writeFileSync(LOCK, `${process.pid} ${program.pid}`)
  const [code] = await once(program, 'close').catch(({ message }) => {
    print(`${command} cannot be run: ${message}\n`)
    return [1]
  })
  process.off('exit', kill)
  if (code !== 0) process.exit(1)
}

/** Compiles with one checker: each of several, four by default, works out the types of all packages anew. */
export const compile = (project) =>
  run(process.execPath, inRoot('node_modules', 'typescript', 'bin', 'tsc'), '-p', project, '--checkers', '1')
