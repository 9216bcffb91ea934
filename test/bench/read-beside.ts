import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool } from 'undici'
import { percentile, timeOf } from './load.ts'

const READS = 500
const READS_APART_MS = 20

/** Reads a page again and again, as one reader does. @returns the p95 of a read, in milliseconds */
export async function readBeside(pool: Pool, path: string): Promise<number> {
  const times: number[] = []
  while (times.length < READS) {
    const read = async () => {
      // Each read is one of the database, as after a change.
      const { body } = await pool.request({ method: 'GET', path, headers: { 'x-request-id': 'changed' } })
      await body.dump()
    }
    times.push(await timeOf(read))
    await sleep(READS_APART_MS)
  }
  return percentile(times, 0.95)
}
