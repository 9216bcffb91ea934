import { Pool } from 'undici'
import type { Child } from './child.ts'

export interface LoadResult {
  perSecond: number
  cpuMicros: number
}

interface Load {
  server: Child
  port: number
  requests: number
  connections: number
  /** Expected answer of each. */
  status?: number
  /** The request with this number. */
  send(pool: Pool, number: number): Promise<{ statusCode: number; body: { dump(): Promise<void> } }>
}

/** Sends requests over a few connections and measures what one costs the server's process. */
export async function load({ server, port, requests, connections, status = 200, send }: Load): Promise<LoadResult> {
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections, pipelining: 1 })
  let next = 0
  const cpuBefore = await server.ask('cpu')
  const startedAt = performance.now()

  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (next < requests) {
        const { statusCode, body } = await send(pool, next++)
        await body.dump()
        if (statusCode !== status) throw new Error(`the server answered ${statusCode}`)
      }
    }),
  )
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = (await server.ask('cpu')) - cpuBefore
  await pool.close()
  return { perSecond: requests / seconds, cpuMicros: cpu / requests }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
