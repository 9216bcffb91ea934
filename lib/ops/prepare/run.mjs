import { spawn } from 'node:child_process'
import { ROOT } from './folder.mjs'
import { markLock } from './lock.mjs'
import { say } from './say.mjs'

const HEARTBEAT_MS = 2_000
const KILL_AFTER_MS = 1_000
const EXIT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
const SIGNALS = Object.keys(EXIT_CODES)

/**
 * Runs a program to its end, under the lock, and passes signals on to it.
 * @returns its exit code and all that it printed
 */
export function run(command, args, { onHeartbeat }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] })
    if (child.pid !== undefined) markLock(child.pid)

    let printed = ''
    const collect = (text) => {
      printed += text
    }
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)

    const heartbeat = setInterval(() => {
      markLock(child.pid)
      onHeartbeat()
    }, HEARTBEAT_MS)
    let exitCode
    const interrupt = (signal) => {
      clearInterval(heartbeat)
      exitCode = EXIT_CODES[signal]
      child.kill(signal)
      // npm would first finish what it has begun, and then undo it.
      setTimeout(() => child.kill('SIGKILL'), KILL_AFTER_MS)
    }
    for (const signal of SIGNALS) process.on(signal, interrupt)
    const settle = () => {
      clearInterval(heartbeat)
      for (const signal of SIGNALS) process.off(signal, interrupt)
    }

    child.on('error', (error) => {
      settle()
      reject(error)
    })
    child.on('close', (code, signal) => {
      settle()
      // A terminal signals both at once, and the program may have gone first.
      exitCode ??= EXIT_CODES[signal]
      if (exitCode === undefined) return resolve({ code, printed })
      say('\n')
      process.exit(exitCode)
    })
  })
}
