import { MongoClient } from 'mongodb'
import { Pool } from 'undici'
import { fillSite, siteId } from '../support/site/generate-site.ts'
import { startChild } from './child.ts'
import { heading, line, ratio } from './report.ts'

const SIZE = { seed: 1, games: 40_000, users: 4_000, comments: 30_000 }
const READS_APART_MS = 10
const QUIET_READS = 500
const PERCENTILE = 0.95
const MB = 1024 ** 2

const withPath = (uri: string, path: string) => {
  const address = new URL(uri)
  address.pathname = path
  return address.href
}

/** Reads the comments of a game again and again. */
async function readComments(pool: Pool, isEnough: (reads: number) => boolean): Promise<number> {
  const times: number[] = []
  while (!isEnough(times.length)) {
    const startedAt = performance.now()
    // Each read is one of the database, as after a change.
    const headers = { 'x-request-id': 'changed' }
    const { body } = await pool.request({ method: 'GET', path: `/games/${siteId(2, 0)}/comments`, headers })
    await body.dump()
    times.push(performance.now() - startedAt)
    await new Promise((resolve) => setTimeout(resolve, READS_APART_MS))
  }
  return times.sort((a, b) => a - b)[Math.floor(times.length * PERCENTILE)] ?? 0
}

/** Measures an import by the CPU time of its own process, and readers of a service beside it. */
export async function benchImport(uri: string): Promise<void> {
  heading(`Moving in: ${SIZE.games} games, ${SIZE.comments} comments with votes`)
  const [siteUri, target] = [withPath(uri, '/bench-site'), withPath(uri, '/bench-import')]
  const client = new MongoClient(siteUri)
  await fillSite(client.db(), SIZE)
  await client.close()

  const importer = await startChild('servers/importer.ts', { BENCH_MONGODB_URI: target, BENCH_SITE_URI: siteUri })
  const service = await startChild('servers/gamehall.ts', { BENCH_MONGODB_URI: target })
  const pool = new Pool(`http://127.0.0.1:${await service.ask('port')}`, { connections: 1, pipelining: 1 })
  try {
    const quiet = await readComments(pool, (reads) => reads === QUIET_READS)
    let isDone = false
    const reading = readComments(pool, () => isDone)
    for (const [part, goal] of [
      ['games', 3_000],
      ['others', 0],
    ] as const) {
      const before = await importer.ask('cpu')
      const documents = await importer.ask('import', part)
      const perCore = (documents / ((await importer.ask('cpu')) - before)) * 1_000_000
      if (goal > 0) ratio(`${part} a second and core`, perCore, { atLeast: goal })
      else line(`${part} a second and core`, perCore.toFixed(0))
    }
    isDone = true
    ratio('p95 of GET /games/:gameId/comments, to a quiet service', (await reading) / quiet, { atMost: 1.2 })
    ratio('memory of the import, in MB', (await importer.ask('maxRss')) / MB, { atMost: 500 })
  } finally {
    await pool.close()
    await Promise.all([importer.stop(), service.stop()])
  }
}
