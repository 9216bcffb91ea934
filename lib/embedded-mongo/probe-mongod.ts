import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const OLDEST_MAJOR = 6

export interface Mongod {
  path: string
  version: string
}

/**
 * Runs a candidate for its version.
 * @throws with a reason when it does not run, is no mongod, or is too old
 */
export async function probeMongod(path: string): Promise<Mongod> {
  const { stdout } = await run(path, ['--version'], { timeout: 20_000 }).catch((error: unknown) => {
    throw new Error(`it does not run (${firstLine(error)})`)
  })
  const version = /^db version v(\d+\.\d+\.\d+)/m.exec(stdout)?.[1]
  if (version === undefined) throw new Error('it is no mongod')
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) throw new Error(`${version} is older than ${OLDEST_MAJOR}.0`)
  return { path, version }
}

function firstLine(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const stderr = 'stderr' in error && typeof error.stderr === 'string' ? error.stderr.trim() : ''
  const signal = 'signal' in error && typeof error.signal === 'string' ? error.signal : ''
  return (stderr || signal || error.message).split('\n')[0] ?? ''
}
