import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { readConfig } from '../../lib/base/config.ts'
import { prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { createLogger } from '../../lib/infrastructure/observability/log.ts'
import { createSources } from '../../lib/infrastructure/sources/sources.ts'
import { startIgdbStandIn } from '../support/stand-ins/igdb.ts'
import { generateGames } from './catalogue.ts'
import { startChild } from './child.ts'
import { heading, ratio } from './report.ts'

const GAMES = 20
const LOOK_EVERY_MS = 10
const WALKS = 4
const READS = 20
/** A third of what IGDB allows. */
const READS_APART_MS = 750

/** Stores games as other programs do, and measures until they have keys, also after a kill of the instance that makes them. */
export async function benchKeys(uri: string): Promise<void> {
  heading('Games that another program stores, until search finds them')
  const own = new URL(uri)
  own.pathname = '/bench-keys'
  await prepareDatabase(own.href)
  const client = new MongoClient(own.href)
  const games = client.db().collection('games')
  const generated = generateGames(3)
  async function measureKeys(): Promise<number> {
    const { _id, name, slug } = generated.next().value
    const startedAt = performance.now()
    await games.insertOne({ _id, name, slug })
    while ((await games.countDocuments({ _id, nameKey: { $exists: true } })) === 0) await sleep(LOOK_EVERY_MS)
    return performance.now() - startedAt
  }
  const env = { BENCH_MONGODB_URI: own.href }
  const atWork = await startChild('./servers/gamehall.ts', env)
  await atWork.ask('makeKeys')
  await measureKeys()
  const other = await startChild('./servers/gamehall.ts', env)
  await other.ask('makeKeys')
  const times: number[] = []
  for (let game = 0; game < GAMES; game++) times.push(await measureKeys())
  ratio(`the longest of ${GAMES}, ms`, Math.max(...times), { atMost: 2_000 })
  await atWork.stop()
  ratio('after a kill of the instance at work, ms', await measureKeys(), { atMost: 5_000 })
  await other.stop()
  await client.close()
}

/** Measures what a call of somebody who waits takes while walks read the same source as fast as they may. */
export async function benchWalkedSource(): Promise<void> {
  heading('A call of a source beside walks')
  const standIn = await startIgdbStandIn({ games: [{ id: 1, name: 'Harbour', slug: 'harbour', updated_at: 1 }] })
  const config = readConfig(standIn.env)
  const { igdb } = createSources({ config, log: createLogger('silent') })
  const ended = new AbortController()
  const walk = async () => {
    while (!ended.signal.aborted) {
      await igdb.readPage?.(null, { consoles: [], isBackground: true, signal: ended.signal }).catch(() => undefined)
    }
  }
  const walks = Array.from({ length: WALKS }, walk)
  const times: number[] = []
  for (let read = 0; read < READS; read++) {
    await sleep(READS_APART_MS)
    const startedAt = performance.now()
    await igdb.read('1')
    times.push(performance.now() - startedAt)
  }
  ended.abort()
  await Promise.all(walks)
  await standIn.close()
  ratio(`the longest of ${READS} calls, ms`, Math.max(...times), { atMost: 1_000 })
}
