import { Pool } from 'undici'
import type { Child, Server } from './child.ts'

export interface Cost {
  perSecond: number
  cpuMicros: number
}

/** Returns the milliseconds that some work takes. */
export async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

/** Measures work that consists of `count` pieces: how many are done in a second, and the CPU time of a server for each. */
export async function costOf(server: Child, count: number, work: () => Promise<unknown>): Promise<Cost> {
  const cpuBefore = await server.ask('cpu')
  const ms = await timeOf(work)
  const cpu = (await server.ask('cpu')) - cpuBefore
  return { perSecond: (count * 1_000) / ms, cpuMicros: cpu / count }
}

type Work = (number: number) => Promise<unknown>

/** Does work for each number below `count`, `atOnce` at a time. */
async function doAll(count: number, atOnce: number, work: Work): Promise<void> {
  const numbers = Array.from({ length: count }, (_, index) => index).values()
  const drain = async () => {
    for (const number of numbers) await work(number)
  }
  await Promise.all(Array.from({ length: atOnce }, drain))
}

/** Measures work that this process does itself. */
export async function rateOf(count: number, atOnce: number, work: Work): Promise<{ perSecond: number }> {
  const ms = await timeOf(() => doAll(count, atOnce, work))
  return { perSecond: (count * 1_000) / ms }
}

interface Load {
  server: Server
  requests: number
  connections: number
  status?: number
  send(pool: Pool, number: number): Promise<{ statusCode: number; body: { dump(): Promise<void> } }>
}

export type Send = Load['send']

/** Sends requests over a few connections and measures what one costs the server's process. */
export async function load({ server, requests, connections, status = 200, send }: Load): Promise<Cost> {
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections, pipelining: 1 })
  const cost = await costOf(server, requests, () =>
    doAll(requests, connections, async (number) => {
      const { statusCode, body } = await send(pool, number)
      await body.dump()
      if (statusCode !== status) throw new Error(`the server answered ${statusCode}`)
    }),
  )
  await pool.close()
  return cost
}

/** Sends a text of JSON as a signed-in user. */
export const postJson = (pool: Pool, path: string, { cookie, body }: { cookie: string; body: string }) =>
  pool.request({ method: 'POST', path, headers: { cookie, 'content-type': 'application/json' }, body })

interface Delivery {
  server: Child
  readers: Child
  gameId: string
  sockets: number
  turns: number
  eventsPerTurn: number
}

/** Announces events to readers that are open and measures what a delivery of one costs the server's process. */
export async function deliver({ server, readers, gameId, sockets, turns, eventsPerTurn }: Delivery): Promise<Cost> {
  const deliveries = turns * eventsPerTurn * sockets
  await readers.ask('expect', deliveries)
  return await costOf(server, deliveries, async () => {
    for (let turn = 0; turn < turns; turn++) await server.ask('announce', { gameId, events: eventsPerTurn })
    await readers.ask('arrived')
  })
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

/** Returns the value below which a part of all values lies. */
export const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN

export const median = (values: readonly number[]): number => percentile(values, 0.5)
