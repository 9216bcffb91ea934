import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { print, ROOT, refusal } from './folder.mjs'
import { markLock } from './lock.mjs'

const execute = promisify(execFile)
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }

/** Other package managers name themselves in that variable, too. */
export function findNpm() {
  const program = process.env.npm_execpath ?? ''
  return /[\\/]npm-cli\.c?js$/.test(program) ? [process.execPath, program] : ['npm']
}

/**
 * Runs a program to its end, under the lock; a signal ends both at once, and the next start begins anew what was cut.
 * @throws a refusal with all that it printed when it fails
 */
export async function run(task, [command, ...args]) {
  const running = execute(command, args, { cwd: ROOT, maxBuffer: Number.POSITIVE_INFINITY })
  if (running.child.pid !== undefined) markLock(running.child.pid)
  const interrupt = (signal) => {
    running.child.kill('SIGKILL')
    print('\n')
    process.exit(EXIT_CODES[signal])
  }
  for (const signal of Object.keys(EXIT_CODES)) process.on(signal, interrupt)
  try {
    await running
  } catch (error) {
    // A terminal signals both at once, and the program may have gone first.
    if (EXIT_CODES[error.signal] !== undefined) interrupt(error.signal)
    if (error.code === 'ENOENT')
      throw refusal(`${command} was not found: it comes with Node and installs the packages.`)
    throw refusal(`The ${task} failed:\n${`${error.stdout}${error.stderr}`.trim()}`)
  } finally {
    for (const signal of Object.keys(EXIT_CODES)) process.off(signal, interrupt)
  }
}
