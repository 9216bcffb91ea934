import { spawn } from 'node:child_process'
import { ROOT } from './folder.mjs'
import { markLock } from './lock.mjs'
import { print, refusal } from './print.mjs'

const KILL_AFTER_MS = 1_000
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** Other package managers name themselves in that variable, too. */
export function findNpm() {
  const program = process.env.npm_execpath ?? ''
  return /[\\/]npm-cli\.c?js$/.test(program) ? [process.execPath, program] : ['npm']
}

/**
 * Runs a program to its end, under the lock, and passes signals on to it.
 * @throws a refusal with all that it printed when it fails
 */
export async function run(task, [command, ...args]) {
  const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
  if (child.pid !== undefined) markLock(child.pid)
  const printed = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => printed.push(text))

  let exitCode
  const interrupt = (signal) => {
    exitCode = EXIT_CODES[signal]
    child.kill(signal)
    // npm would first finish what it has begun, and then undo it.
    setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS).unref()
  }
  for (const signal of Object.keys(EXIT_CODES)) process.on(signal, interrupt)
  const { code, signal } = await new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (code, signal) => resolve({ code, signal }))
  }).catch((error) => {
    throw error.code === 'ENOENT'
      ? refusal(`${command} was not found: it comes with Node and installs the packages.`)
      : error
  })
  for (const each of Object.keys(EXIT_CODES)) process.off(each, interrupt)
  // A terminal signals both at once, and the program may have gone first.
  exitCode ??= EXIT_CODES[signal]
  if (exitCode !== undefined) {
    print('\n')
    process.exit(exitCode)
  }
  if (code !== 0) throw refusal(`The ${task} failed:\n${Buffer.concat(printed).toString().trim()}`)
}
