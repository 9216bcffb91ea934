import { ObjectId } from 'mongodb'
import { readConfig } from '../../lib/config.ts'
import { createBatchWriter } from '../../lib/conflicts/writer/batch-writer.ts'
import { createDeps } from '../../lib/create-deps.ts'
import type { ConflictDocument } from '../../lib/db/collections/conflicts.ts'
import type { Database } from '../../lib/db/connect.ts'
import { createLogger } from '../../lib/observability/log.ts'
import type { SourceEntry } from '../../lib/sources/entries.ts'
import type { SourceReader } from '../../lib/sources/source-reader.ts'
import { createSources } from '../../lib/sources/sources.ts'
import { insertUser } from '../support/rows/rows.ts'
import { startChild } from './child.ts'
import { load, median } from './load.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

const ROUNDS = 5
/** The compiler goes on optimizing for some thousand requests. */
const WARM_UP_ROUNDS = 4
const DECISIONS = 500
const CONNECTIONS = 20
/** As many as the writer writes at once. */
const CONCURRENCY = 4

const perSecond = (rates: readonly number[]) => `${median(rates).toFixed(0)} decisions/s`

/** Does some work for each number, so many at once. @returns how many a second */
async function rateOf(atOnce: number, work: (number: number) => Promise<unknown>): Promise<number> {
  const numbers = Array.from({ length: DECISIONS }, (_, index) => index).values()
  const startedAt = performance.now()
  const drain = async () => {
    for (const number of numbers) await work(number)
  }
  await Promise.all(Array.from({ length: atOnce }, drain))
  return DECISIONS / ((performance.now() - startedAt) / 1000)
}

const idOf = (number: number) => `v${number + 1}`

/** Waiting conflicts, each with a game of its own as its one candidate. */
async function fill(db: Database): Promise<ObjectId[]> {
  const now = new Date()
  const games = Array.from({ length: DECISIONS }, () => new ObjectId())
  await db.games.insertMany(
    games.map((_id) => ({ _id, name: 'Lantern Keep', slug: `bench-${_id}`, createdAt: now, updatedAt: now })),
  )
  await db.conflicts.insertMany(
    games.map(
      (gameId, number): ConflictDocument => ({
        _id: new ObjectId(),
        source: 'vndb',
        externalId: idOf(number),
        externalName: 'Lantern Keep',
        candidates: [{ gameId, slug: `bench-${gameId}`, name: 'Lantern Keep', score: 0.5 }],
        status: 'pending',
        decision: null,
        createdAt: now,
        updatedAt: now,
      }),
    ),
  )
  return games
}

/** Decisions through REST, each with its session, event and summary, against the update that they consist of. */
async function benchDecisions(uri: string, db: Database, games: readonly ObjectId[]): Promise<void> {
  const { cookie } = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'bench-decider', isAdmin: true })
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: uri })
  const port = await server.ask('port')
  const takeBack = () => db.conflicts.updateMany({}, { $set: { decision: null, winner: null, decidedBy: null } })
  const headers = { cookie, 'content-type': 'application/json' }
  const decide: Parameters<typeof load>[0]['send'] = (pool, number) =>
    pool.request({
      method: 'POST',
      path: `/conflicts/vndb/${idOf(number)}/decision`,
      headers,
      body: JSON.stringify({ gameId: games[number]?.toHexString() }),
    })
  const update = (number: number) => {
    const gameId = games[number] ?? new ObjectId()
    return db.conflicts.updateOne(
      { source: 'vndb', externalId: idOf(number), status: 'pending', decision: null, 'candidates.gameId': gameId },
      { $set: { decision: 'match', winner: gameId, failure: null, updatedAt: new Date() } },
    )
  }

  const rates: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] }
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    await takeBack()
    const ours = await load({ server, port, requests: DECISIONS, connections: CONNECTIONS, send: decide })
    await takeBack()
    const bare = await rateOf(CONNECTIONS, update)
    if (round < 0) continue
    rates.ours.push(ours.perSecond)
    rates.bare.push(bare)
  }
  await takeBack()
  await server.stop()

  heading(`POST /conflicts/:source/:externalId/decision, ${CONNECTIONS} at once`)
  line('gamehall: session, update, event, staff log, summary', perSecond(rates.ours))
  line('the bare filtered update', perSecond(rates.bare))
  ratio('ours / bare', median(rates.ours) / median(rates.bare), { atLeast: 0.3 })
}

function instantEntry(id: string): SourceEntry<'vndb'> {
  return {
    id,
    part: { vnId: id, rating: 70, votecount: 10, syncedAt: new Date() },
    game: {
      name: `Lantern Keep ${id}`,
      fields: { summary: 'Keep the lanterns lit.', first_release: 1_000_000_000 },
      platforms: ['win'],
      releases: [],
      multiplayerModes: [],
      related: {},
      images: {},
    },
    characters: [],
    subject: {
      name: 'Lantern Keep',
      originalName: null,
      alternativeNames: [],
      description: 'Keep the lanterns lit.',
      released: '2001-09-09',
      developers: [],
      lengthMinutes: null,
      cover: null,
      isExplicitCover: false,
      url: null,
    },
  }
}

const instantReader: SourceReader<'vndb'> = {
  name: 'vndb',
  isOn: true,
  openForMs: () => 0,
  read: async (id) => instantEntry(id),
  readMany: async (ids) => new Map(ids.map((id) => [id, instantEntry(id)])),
}

/**
 * Batches of a source that answers at once, against the three writes that a decision takes: the lease, the record, the
 * game.
 */
async function benchBatches(db: Database, games: readonly ObjectId[]): Promise<void> {
  const config = readConfig({})
  const log = createLogger('silent')
  const sources = { ...createSources({ config, log }), vndb: instantReader }
  const deps = createDeps({ config, log, jwtSecret: BENCH_SECRET, db, sources })

  async function queue(decision: 'match' | 'skip'): Promise<void> {
    await db.games.deleteMany({ 'vndb.vnId': { $gt: '' }, _id: { $nin: [...games] } })
    await db.games.updateMany({ _id: { $in: [...games] } }, { $unset: { vndb: 1, summary: 1, first_release: 1 } })
    const operations = games.map((winner, number) => ({
      updateOne: {
        filter: { source: 'vndb' as const, externalId: idOf(number) },
        update: {
          $set: { status: 'pending' as const, decision, winner: decision === 'match' ? winner : null },
        },
      },
    }))
    await db.conflicts.bulkWrite(operations)
  }

  async function drain(): Promise<number> {
    let left = DECISIONS
    let finish = () => {}
    const finished = new Promise<void>((resolve) => {
      finish = resolve
    })
    const conflicts: typeof deps.emit.conflicts = {
      ...deps.emit.conflicts,
      applied({ externalIds }) {
        left -= externalIds.length
        if (left === 0) finish()
      },
    }
    const writer = createBatchWriter({ ...deps, emit: { ...deps.emit, conflicts } })
    const startedAt = performance.now()
    writer.start()
    await finished
    const rate = DECISIONS / ((performance.now() - startedAt) / 1000)
    await writer.stop()
    return rate
  }

  const writeBare = async (number: number) => {
    const filter = { source: 'vndb', externalId: idOf(number), status: 'pending' } as const
    const vndb = { vnId: idOf(number), rating: 70, votecount: 10, syncedAt: new Date() }
    await db.leases.updateOne({ _id: 'bench' }, { $currentDate: { until: true } }, { upsert: true })
    await db.games.updateOne(
      { _id: games[number] ?? new ObjectId() },
      { $set: { vndb, summary: 'Keep the lanterns lit.' } },
    )
    await db.conflicts.updateOne(filter, { $set: { status: 'resolved' } })
  }

  const rates: Record<'matches' | 'skips' | 'bare', number[]> = { matches: [], skips: [], bare: [] }
  for (let round = -1; round < ROUNDS; round++) {
    await queue('match')
    const matches = await drain()
    await queue('skip')
    const skips = await drain()
    await queue('match')
    const bare = await rateOf(CONCURRENCY, writeBare)
    // The first round warms all up.
    if (round < 0) continue
    rates.matches.push(matches)
    rates.skips.push(skips)
    rates.bare.push(bare)
  }

  heading(`the background writer, ${DECISIONS} queued decisions of a source that answers at once`)
  line('gamehall: matches', perSecond(rates.matches))
  line('gamehall: skips, each of which makes a game', perSecond(rates.skips))
  line('the bare three writes of a match', perSecond(rates.bare))
  ratio('our matches / bare', median(rates.matches) / median(rates.bare), { atLeast: 0.4 })
}

/** How fast conflicts are decided, and how fast what was decided is written. */
export async function benchConflicts(uri: string, db: Database): Promise<void> {
  const games = await fill(db)
  await benchDecisions(uri, db, games)
  await benchBatches(db, games)
}
