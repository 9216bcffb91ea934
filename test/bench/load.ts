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
  status?: number
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

interface Delivery {
  server: Child
  readers: Child
  gameId: string
  sockets: number
  turns: number
  eventsPerTurn: number
}

/** Announces events to readers that are open and measures what a delivery of one costs the server's process. */
export async function deliver({ server, readers, gameId, sockets, turns, ...delivery }: Delivery): Promise<LoadResult> {
  const deliveries = turns * delivery.eventsPerTurn * sockets
  await readers.ask('expect', deliveries)
  const cpuBefore = await server.ask('cpu')
  const startedAt = performance.now()
  for (let turn = 0; turn < turns; turn++) await server.ask('announce', { gameId, events: delivery.eventsPerTurn })
  await readers.ask('arrived')
  const seconds = (performance.now() - startedAt) / 1000
  const cpu = (await server.ask('cpu')) - cpuBefore
  return { perSecond: deliveries / seconds, cpuMicros: cpu / deliveries }
}

type Measure<F extends string> = () => Promise<Readonly<Record<F, number>>>

/**
 * Measures all by turns, so that a busy moment of the machine meets each; the first rounds warm them up.
 * @returns the median of a figure of one of them
 */
export async function measureByTurns<N extends string, F extends string>(
  measures: Readonly<Record<N, Measure<F>>>,
  { rounds, warmUpRounds = 1 }: { rounds: number; warmUpRounds?: number },
): Promise<(name: N, figure: F) => number> {
  // Object.keys knows no names.
  const names = Object.keys(measures) as N[]
  const results = new Map(names.map((name): [N, Readonly<Record<F, number>>[]] => [name, []]))
  for (let round = -warmUpRounds; round < rounds; round++) {
    for (const [name, list] of results) {
      const result = await measures[name]()
      if (round >= 0) list.push(result)
    }
  }
  return (name, figure) => median((results.get(name) ?? []).map((result) => result[figure]))
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
