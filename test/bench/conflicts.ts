import { ObjectId } from 'mongodb'
import { readConfig } from '../../lib/base/config.ts'
import { createDeps } from '../../lib/create-deps.ts'
import { createBatchWriter } from '../../lib/domain/conflicts/writer/batch-writer.ts'
import type { Database } from '../../lib/infrastructure/db/connect.ts'
import { createLogger } from '../../lib/infrastructure/observability/log.ts'
import type { SourceEntry } from '../../lib/infrastructure/sources/entries.ts'
import type { SourceReader } from '../../lib/infrastructure/sources/source-reader.ts'
import { createSources } from '../../lib/infrastructure/sources/sources.ts'
import { entryOf } from '../support/rows/entries.ts'
import { insertUser, newConflict, newGame } from '../support/rows/rows.ts'
import { createGate } from '../support/tools/gate.ts'
import { startServer } from './child.ts'
import { load, measureByTurns, postJson, rateOf, type Send, timeOf } from './load.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

const ROUNDS = 5
/** The compiler goes on optimizing for some thousand requests. */
const WARM_UP_ROUNDS = 4
const DECISIONS = 500
const CONNECTIONS = 20
/** The writer writes so many at once. */
const CONCURRENCY = 4

const perSecond = (rate: number) => `${rate.toFixed(0)} decisions/s`

const idOf = (number: number) => `v${number + 1}`

/** Stores waiting conflicts, each with another game as its one candidate. */
async function fill(db: Database): Promise<ObjectId[]> {
  const games = Array.from({ length: DECISIONS }, () => newGame())
  const conflicts = games.map(({ _id: gameId, name, slug }, number) => {
    const candidates = [{ gameId, slug, name, score: 0.5 }]
    return newConflict({ source: 'vndb', externalId: idOf(number), candidates, decision: null })
  })
  await db.games.insertMany(games)
  await db.conflicts.insertMany(conflicts)
  return games.map(({ _id }) => _id)
}

/** Compares decisions through REST, each with its session, event and summary, with the bare update. */
async function benchDecisions(uri: string, db: Database, games: readonly ObjectId[]): Promise<void> {
  const { cookie } = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'bench-decider', isAdmin: true })
  const server = await startServer(uri)
  const takeBack = () => db.conflicts.updateMany({}, { $set: { decision: null, winner: null, decidedBy: null } })
  const decide: Send = (pool, number) => {
    const body = JSON.stringify({ gameId: games[number]?.toHexString() })
    return postJson(pool, `/conflicts/vndb/${idOf(number)}/decision`, { cookie, body })
  }
  const update = (number: number) => {
    const gameId = games[number] ?? new ObjectId()
    return db.conflicts.updateOne(
      { source: 'vndb', externalId: idOf(number), status: 'pending', decision: null, 'candidates.gameId': gameId },
      { $set: { decision: 'match', winner: gameId, failure: null, updatedAt: new Date() } },
    )
  }

  const measures = {
    async ours() {
      await takeBack()
      return load({ server, requests: DECISIONS, connections: CONNECTIONS, send: decide })
    },
    async bare() {
      await takeBack()
      return rateOf(DECISIONS, CONNECTIONS, update)
    },
  }
  const options = { rounds: ROUNDS, warmUpRounds: WARM_UP_ROUNDS }
  const medianOf = await measureByTurns<'ours' | 'bare', 'perSecond'>(measures, options)
  const [ours, bare] = [medianOf('ours', 'perSecond'), medianOf('bare', 'perSecond')]
  await takeBack()
  await server.stop()

  heading(`POST /conflicts/:source/:externalId/decision, ${CONNECTIONS} at once`)
  line('gamehall: session, update, event, staff log, summary', perSecond(ours))
  line('the bare filtered update', perSecond(bare))
  ratio('ours / bare', ours / bare, { atLeast: 0.3 })
}

function instantEntry(id: string): SourceEntry<'vndb'> {
  const fields = { summary: 'Keep the lanterns lit.', first_release: 1_000_000_000 }
  const part = { vnId: id, rating: 70, votecount: 10, syncedAt: new Date() }
  return entryOf('vndb', id, part, { name: `Lantern Keep ${id}`, fields, platforms: ['win'] })
}

const instantReader: SourceReader<'vndb'> = {
  name: 'vndb',
  isOn: true,
  openForMs: () => 0,
  read: async (id) => instantEntry(id),
  readMany: async (ids) => new Map(ids.map((id) => [id, instantEntry(id)])),
}

/** Compares batches of a source that answers at once with the bare writes of a decision: lease, record and game. */
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
    const finished = createGate()
    const conflicts: typeof deps.emit.conflicts = {
      ...deps.emit.conflicts,
      applied(_source, entries) {
        left -= entries.length
        if (left === 0) finished.open()
      },
    }
    const writer = createBatchWriter({ ...deps, emit: { ...deps.emit, conflicts } })
    const ms = await timeOf(() => {
      writer.start()
      return finished.opened
    })
    await writer.stop()
    return (DECISIONS * 1_000) / ms
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

  const drainAll = (decision: 'match' | 'skip') => async () => {
    await queue(decision)
    return { perSecond: await drain() }
  }
  const measures = {
    matches: drainAll('match'),
    skips: drainAll('skip'),
    async bare() {
      await queue('match')
      return rateOf(DECISIONS, CONCURRENCY, writeBare)
    },
  }
  const medianOf = await measureByTurns(measures, { rounds: ROUNDS })
  const [matches, bare] = [medianOf('matches', 'perSecond'), medianOf('bare', 'perSecond')]

  heading(`the background writer, ${DECISIONS} queued decisions of a source that answers at once`)
  line('gamehall: matches', perSecond(matches))
  line('gamehall: skips, each of which makes a game', perSecond(medianOf('skips', 'perSecond')))
  line('the bare three writes of a match', perSecond(bare))
  ratio('our matches / bare', matches / bare, { atLeast: 0.4 })
}

export async function benchConflicts(uri: string, db: Database): Promise<void> {
  const games = await fill(db)
  await benchDecisions(uri, db, games)
  await benchBatches(db, games)
}
