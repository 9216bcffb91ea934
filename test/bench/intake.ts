import { Pool } from 'undici'
import type { EntryInput } from '../../lib/contract/entries.ts'
import type { GameDocument } from '../../lib/infrastructure/db/collections/games.ts'
import { type Database, openDatabase, prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { insertComment, insertUser } from '../support/rows/rows.ts'
import { randomFrom } from '../support/tools/random.ts'
import { fillCatalogue, generateGames, mistype } from './catalogue.ts'
import { type Child, startChild } from './child.ts'
import { readBeside } from './read-beside.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

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

/** Bodies of requests: half of the entries are games of the catalogue, as others write them, and half are none. */
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

interface Handing {
  server: Child
  pool: Pool
  cookie: string
  /** Made beforehand: their generation would compete with the server. */
  pages: Iterator<string>
}

async function handOver({ server, pool, cookie, pages }: Handing, count: number) {
  const outcomes: Record<string, number> = {}
  const headers = { cookie, 'content-type': 'application/json' }
  let [entries, seconds, cpu] = [0, 0, 0]
  for (let handed = 0; handed < count; handed++) {
    const { value: body } = pages.next()
    const [cpuBefore, startedAt] = [await server.ask('cpu'), performance.now()]
    const answer = await pool.request({ method: 'POST', path: '/entries', headers, body })
    // The schema of the endpoint's answers.
    const { results } = (await answer.body.json()) as { results: { outcome: string }[] }
    cpu += (await server.ask('cpu')) - cpuBefore
    seconds += (performance.now() - startedAt) / 1_000
    if (answer.statusCode !== 200) throw new Error(`the server answered ${answer.statusCode}`)
    entries += results.length
    for (const { outcome } of results) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
  }
  return { perSecond: entries / seconds, perCore: entries / (cpu / 1_000_000), outcomes }
}

/** What it costs to take the entries of a source in, and what readers feel of it. */
export async function benchIntake(uri: string): Promise<void> {
  const own = new URL(uri)
  own.pathname = '/intake'
  await prepareDatabase(own.href)
  await fillCatalogue(own.href, GAMES)
  const db = openDatabase(own.href)
  const admin = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'bench-intake', isAdmin: true })
  const gameId = (await db.games.findOne({}))?._id ?? admin._id
  for (let index = 0; index < COMMENTS; index++) await insertComment(db, { gameId, userId: admin._id })
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: own.href })
  const pool = new Pool(`http://127.0.0.1:${await server.ask('port')}`, { connections: 4 })
  const pages: string[] = []
  for await (const page of generatePages(db)) if (pages.push(page) === WARM_UP_PAGES + PAGES + PAGES_BESIDE) break
  const handing = { server, pool, cookie: admin.cookie, pages: pages.values() }
  const path = `/games/${gameId.toHexString()}/comments`

  heading(`POST /entries, pages of ${PAGE}, against ${GAMES} games`)
  await handOver(handing, WARM_UP_PAGES)
  const { perSecond, perCore, outcomes } = await handOver(handing, PAGES)
  line('entries a second', perSecond.toFixed(0))
  ratio('entries a second and core of the process', perCore, { atLeast: ENTRIES_PER_CORE })
  line('outcomes', JSON.stringify(outcomes))
  await readBeside(pool, path) // warms the process up
  const quiet = await readBeside(pool, path)
  const beside = handOver(handing, PAGES_BESIDE)
  const busy = await readBeside(pool, path)
  line('p95 of comments, quiet and while entries come in, ms', `${quiet.toFixed(1)} and ${busy.toFixed(1)}`)
  ratio('p95 of comments, while entries come in / quiet', busy / quiet, { atMost: COMMENTS_RATIO })
  const { perSecond: paced } = await beside
  line('entries a second meanwhile, and until the list ends', paced.toFixed(0))
  await pool.close()
  await server.stop()
  await db.close()
}
