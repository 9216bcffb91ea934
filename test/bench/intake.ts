import { Pool } from 'undici'
import type { EntryInput } from '../../lib/contract/entries.ts'
import type { GameDocument } from '../../lib/infrastructure/db/collections/games.ts'
import { type Database, openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { insertComment, insertUser } from '../support/rows/rows.ts'
import { randomFrom } from '../support/tools/random.ts'
import { fillCatalogue, generateGames, mistype } from './catalogue.ts'
import { type Server, startServer } from './child.ts'
import { costOf, postJson } from './load.ts'
import { readBeside } from './read-beside.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET, prepareBenchDatabase } from './scene.ts'

const GAMES = 100_000
const PAGE = 500
const WARM_UP_PAGES = 2
const PAGES = 6
const PAGES_BESIDE = 1
const COMMENTS = 40

const ENTRIES_PER_CORE = 200
const COMMENTS_RATIO = 1.2

const toEntry = (id: number, { first_release, companies }: Partial<GameDocument>, name: string): EntryInput => ({
  id: `v${id}`,
  name,
  released: new Date((first_release ?? 0) * 1_000).toISOString().slice(0, 10),
  developers: companies?.flatMap(({ name: company, developer }) => (developer ? [company] : [])) ?? [],
})

/** Generates bodies of requests. Half of the entries are games of the catalogue in another spelling, half are of no game. */
async function* generatePages(db: Database): AsyncGenerator<string> {
  const random = randomFrom(11)
  const others = generateGames(2)
  const fields = { projection: { name: 1, first_release: 1, companies: 1 } }
  const stored = db.games.find({}, fields).sort({ slug: 1 })
  let id = 0
  for (let page: EntryInput[] = []; ; page = []) {
    while (page.length < PAGE) {
      const game = await stored.next()
      const other = others.next().value
      if (game === null) return
      page.push(toEntry(++id, game, mistype(game.name, random)), toEntry(++id, other, other.name))
    }
    yield JSON.stringify({ source: 'vndb', entries: page })
  }
}

interface Sending {
  server: Server
  pool: Pool
  cookie: string
  /** Pages are made beforehand, because their generation would compete with the server. */
  pages: Iterator<string>
}

async function sendPages({ server, pool, cookie, pages }: Sending, count: number) {
  const outcomes: Record<string, number> = {}
  const { perSecond, cpuMicros } = await costOf(server, count * PAGE, async () => {
    for (let sent = 0; sent < count; sent++) {
      const answer = await postJson(pool, '/entries', { cookie, body: pages.next().value })
      // The schema of the endpoint's answers.
      const { results } = (await answer.body.json()) as { results: { outcome: string }[] }
      if (answer.statusCode !== 200) throw new Error(`the server answered ${answer.statusCode}`)
      for (const { outcome } of results) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    }
  })
  return { perSecond, perCore: 1_000_000 / cpuMicros, outcomes }
}

/** Measures the intake of a source's entries, and the readers beside it. */
export async function benchIntake(uri: string): Promise<void> {
  const benchUri = await prepareBenchDatabase(uri, 'intake')
  await fillCatalogue(benchUri, GAMES)
  const db = openDatabase(benchUri)
  const admin = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'bench-intake', isAdmin: true })
  const gameId = (await db.games.findOne({}))?._id ?? admin._id
  for (let index = 0; index < COMMENTS; index++) await insertComment(db, { gameId, userId: admin._id })
  const server = await startServer(benchUri)
  const pool = new Pool(`http://127.0.0.1:${server.port}`, { connections: 4 })
  const pages: string[] = []
  for await (const page of generatePages(db)) if (pages.push(page) === WARM_UP_PAGES + PAGES + PAGES_BESIDE) break
  const sending = { server, pool, cookie: admin.cookie, pages: pages.values() }
  const path = `/games/${gameId.toHexString()}/comments`

  heading(`POST /entries, pages of ${PAGE}, against ${GAMES} games`)
  await sendPages(sending, WARM_UP_PAGES)
  const { perSecond, perCore, outcomes } = await sendPages(sending, PAGES)
  line('entries a second', perSecond.toFixed(0))
  ratio('entries a second and core of the process', perCore, { atLeast: ENTRIES_PER_CORE })
  line('outcomes', JSON.stringify(outcomes))
  await readBeside(pool, path) // warms the process up
  const quiet = await readBeside(pool, path)
  const beside = sendPages(sending, PAGES_BESIDE)
  const busy = await readBeside(pool, path)
  line('p95 of comments, quiet and while entries come in, ms', `${quiet.toFixed(1)} and ${busy.toFixed(1)}`)
  ratio('p95 of comments, while entries come in / quiet', busy / quiet, { atMost: COMMENTS_RATIO })
  const { perSecond: paced } = await beside
  line('entries a second meanwhile, and until the list ends', paced.toFixed(0))
  await pool.close()
  await server.stop()
  await db.close()
}
