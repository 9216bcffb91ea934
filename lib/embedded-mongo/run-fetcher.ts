import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EmbeddedLog } from './embedded-options.ts'

const LOOK_EVERY_MS = 250
const TELL_EVERY_MS = 2_000
const GRACE_MS = 200

export interface Fetch {
  command: string
  args: readonly string[]
  /** Where the bytes arrive. */
  folder: string
  /** The bytes there at the end, where that is known. */
  expectedBytes?: number
  /** The beginning of a log line, before the number of megabytes. */
  doing: string
  /** Without a new byte for so long the process is stopped. */
  idleMs: number
  log: EmbeddedLog
  onMessage?: (message: unknown) => void
}

/**
 * Runs a process that brings bytes into a folder, and tells in the log how far it is.
 * @throws with the last line of its stderr when it fails, or when no byte came for too long
 */
export async function runFetcher(fetch: Fetch): Promise<void> {
  const channel = fetch.onMessage === undefined ? [] : ['ipc' as const]
  const child = spawn(fetch.command, fetch.args, { stdio: ['ignore', 'ignore', 'pipe', ...channel] })
  if (fetch.onMessage !== undefined) child.on('message', fetch.onMessage)
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-10_000)
  })

  const watch = watchBytes(child, fetch)
  try {
    // A program that cannot be started is told by the second one.
    const isClosed = once(child, 'close').catch(() => {})
    const [code, signal] = await once(child, 'exit')
    // Children of the process may hold its stderr open for long.
    await Promise.race([isClosed, sleep(GRACE_MS)])
    if (watch.isIdle()) throw new Error(`no byte came for ${fetch.idleMs / 1_000} s`)
    if (code !== 0)
      throw new Error(stderr.trim().split('\n').at(-1)?.slice(0, 300) || `it ended with ${signal ?? code}`)
  } finally {
    watch.end()
  }
}

function watchBytes(child: ChildProcess, { folder, expectedBytes, doing, idleMs, log }: Fetch) {
  let bytes = 0
  let lastByteAt = performance.now()
  let toldAt = lastByteAt
  let hasGivenUp = false

  const look = async () => {
    const found = await countBytes(folder)
    const now = performance.now()
    if (found !== bytes) [bytes, lastByteAt] = [found, now]
    if (now - lastByteAt > idleMs) {
      hasGivenUp = true
      child.kill('SIGKILL')
    }
    if (now - toldAt > TELL_EVERY_MS) {
      toldAt = now
      const total = expectedBytes === undefined ? '' : ` of ${megabytes(expectedBytes)}`
      log.info(`${doing}: ${megabytes(Math.min(bytes, expectedBytes ?? bytes))}${total} MB`)
    }
  }
  const timer = setInterval(() => void look(), LOOK_EVERY_MS)
  return { isIdle: () => hasGivenUp, end: () => clearInterval(timer) }
}

const megabytes = (bytes: number) => Math.round(bytes / 1_000_000)

async function countBytes(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (found) => (found.isFile() ? found.size : 0),
        () => 0,
      ),
    ),
  )
  return sizes.reduce((sum, size) => sum + size, 0)
}
