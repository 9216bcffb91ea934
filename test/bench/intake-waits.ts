import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { Pool } from 'undici'
import { openDatabase, prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { insertRequest, insertUser } from '../support/rows/rows.ts'
import { startIgdbStandIn } from '../support/stand-ins/igdb.ts'
import { generateGames } from './catalogue.ts'
import { startChild } from './child.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

const GAMES = 20
const LOOK_EVERY_MS = 10
const ENTRIES = 20_000
const APPROVALS = 15
/** An approval reads a game and its characters: a third of what IGDB allows. */
const APPROVALS_APART_MS = 1_500
const APPROVE = JSON.stringify({ decision: 'approve', force: true })

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

/** Measures approvals that parse an entry, while a walk of the same source makes a game of each entry that it reads. */
export async function benchWalkedSource(uri: string): Promise<void> {
  heading('An approval that parses an entry of IGDB, beside a walk of IGDB')
  const ids = Array.from({ length: ENTRIES }, (_, index) => index + 1)
  const rows = ids.map((id) => ({ id, name: `Harbour ${id}`, slug: `harbour-${id}`, updated_at: id }))
  const standIn = await startIgdbStandIn({ games: rows })
  const own = new URL(uri)
  own.pathname = '/bench-walk'
  await prepareDatabase(own.href)
  const db = openDatabase(own.href)
  const { cookie } = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'bench-walk', isAdmin: true })
  const headers = { cookie, 'content-type': 'application/json' }
  const config = JSON.stringify({ ...standIn.env, SYNC: 'igdb', SYNC_NEW: 'games' })
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: own.href, BENCH_CONFIG: config })
  const pool = new Pool(`http://127.0.0.1:${await server.ask('port')}`)
  /** The longest of some approvals, in ms. The walk comes to the last entries after them. */
  async function approveSome(): Promise<number> {
    const times: number[] = []
    for (const igdbId of ids.splice(-APPROVALS)) {
      const request = await insertRequest(db, { payload: { igdbId } })
      await sleep(APPROVALS_APART_MS)
      const startedAt = performance.now()
      const path = `/requests/${request._id.toHexString()}/decision`
      const { statusCode, body } = await pool.request({ method: 'POST', path, headers, body: APPROVE })
      times.push(performance.now() - startedAt)
      if (statusCode !== 200) throw new Error(`an approval answered ${statusCode}: ${await body.text()}`)
      await body.dump()
    }
    return Math.max(...times)
  }
  const quiet = await approveSome()
  await server.ask('walk')
  const beside = await approveSome()
  const walk = await db.syncs.findOne({ _id: 'igdb' })
  line('read by the walk meanwhile', `${walk?.read} entries`)
  line('the longest approval, quiet and beside the walk, ms', `${quiet.toFixed(0)} and ${beside.toFixed(0)}`)
  ratio('what the walk adds to it, ms', beside - quiet, { atMost: 1_000 })
  await pool.close()
  await server.stop()
  await db.close()
  await standIn.close()
}
