import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'undici'

const READS = 500
const READS_APART_MS = 20
const PERCENTILE = 0.95

/** Reads a page again and again, as one reader does. @returns the p95 of a read, in milliseconds */
export async function readBeside(pool: Pool, path: string): Promise<number> {
  const times: number[] = []
  while (times.length < READS) {
    const startedAt = performance.now()
    // Each read is one of the database, as after a change.
    const { body } = await pool.request({ method: 'GET', path, headers: { 'x-request-id': 'changed' } })
    await body.dump()
    times.push(performance.now() - startedAt)
    await sleep(READS_APART_MS)
  }
  return times.sort((a, b) => a - b)[Math.floor(READS * PERCENTILE)] ?? Number.NaN
}
