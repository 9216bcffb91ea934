import { MongoClient } from 'mongodb'
import { Pool } from 'undici'
import { fillSite, siteId } from '../support/site/generate-site.ts'
import { startChild } from './child.ts'
import { readBeside } from './read-beside.ts'
import { heading, line, ratio } from './report.ts'

const SIZE = { seed: 1, games: 40_000, users: 4_000, comments: 30_000 }
const MB = 1024 ** 2

const withPath = (uri: string, path: string) => {
  const address = new URL(uri)
  address.pathname = path
  return address.href
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
    const path = `/games/${siteId(2, 0)}/comments`
    const quiet = await readBeside(pool, path)
    const reading = readBeside(pool, path)
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
    ratio('p95 of GET /games/:gameId/comments, beside / quiet', (await reading) / quiet, { atMost: 1.2 })
    ratio('memory of the import, in MB', (await importer.ask('maxRss')) / MB, { atMost: 500 })
  } finally {
    await pool.close()
    await Promise.all([importer.stop(), service.stop()])
  }
}
