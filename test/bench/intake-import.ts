import { MongoClient } from 'mongodb'
import { Pool } from 'undici'
import { fillSite, siteId } from '../support/site/generate-site.ts'
import { startChild, startServer } from './child.ts'
import { readBeside } from './read-beside.ts'
import { heading, line, ratio } from './report.ts'
import { addressOf } from './scene.ts'

const SIZE = { seed: 1, games: 40_000, users: 4_000, comments: 30_000 }
const MB = 1024 ** 2

/** Measures an import by the CPU time of its own process, and readers of a service beside it. */
export async function benchImport(uri: string): Promise<void> {
  heading(`Moving in: ${SIZE.games} games, ${SIZE.comments} comments with votes`)
  const [siteUri, target] = [addressOf(uri, 'bench-site'), addressOf(uri, 'bench-import')]
  const client = new MongoClient(siteUri)
  await fillSite(client.db(), SIZE)
  await client.close()

  const importer = await startChild('servers/importer.ts', { BENCH_MONGODB_URI: target, BENCH_SITE_URI: siteUri })
  const service = await startServer(target)
  const pool = new Pool(`http://127.0.0.1:${service.port}`, { connections: 1, pipelining: 1 })
  try {
    const path = `/games/${siteId('game', 0)}/comments`
    const quiet = await readBeside(pool, path)
    const reading = readBeside(pool, path)
    const measureImport = async (part: string) => {
      const before = await importer.ask('cpu')
      const documents = await importer.ask('import', part)
      return (documents / ((await importer.ask('cpu')) - before)) * 1_000_000
    }
    ratio('games a second and core', await measureImport('games'), { atLeast: 3_000 })
    line('others a second and core', (await measureImport('others')).toFixed(0))
    ratio('p95 of GET /games/:gameId/comments, beside / quiet', (await reading) / quiet, { atMost: 1.2 })
    ratio('memory of the import, in MB', (await importer.ask('maxRss')) / MB, { atMost: 500 })
  } finally {
    await pool.close()
    await Promise.all([importer.stop(), service.stop()])
  }
}
