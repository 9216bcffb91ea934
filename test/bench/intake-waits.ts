import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { Pool } from 'undici'
import { openDatabase } from '../../lib/infrastructure/db/connect.ts'
import { insertRequest, insertUser } from '../support/rows/rows.ts'
import { startIgdbStandIn } from '../support/stand-ins/igdb.ts'
import { generateGames } from './catalogue.ts'
import { startServer } from './child.ts'
import { postJson, timeOf } from './load.ts'
import { heading, line, ratio } from './report.ts'
import { BENCH_SECRET, prepareBenchDatabase } from './scene.ts'

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
  const benchUri = await prepareBenchDatabase(uri, 'bench-keys')
  const client = new MongoClient(benchUri)
  const games = client.db().collection('games')
  const generated = generateGames(3)
  async function measureKeys(): Promise<number> {
    const { _id, name, slug } = generated.next().value
    return await timeOf(async () => {
      await games.insertOne({ _id, name, slug })
      while ((await games.countDocuments({ _id, nameKey: { $exists: true } })) === 0) await sleep(LOOK_EVERY_MS)
    })
  }
  const atWork = await startServer(benchUri)
  await atWork.ask('makeKeys')
  await measureKeys()
  const other = await startServer(benchUri)
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
  const benchUri = await prepareBenchDatabase(uri, 'bench-walk')
  const db = openDatabase(benchUri)
  const { cookie } = await insertUser({ db, jwtSecret: BENCH_SECRET }, { userName: 'bench-walk', isAdmin: true })
  const config = JSON.stringify({ ...standIn.env, SYNC: 'igdb', SYNC_NEW: 'games' })
  const server = await startServer(benchUri, { env: { BENCH_CONFIG: config } })
  const pool = new Pool(`http://127.0.0.1:${server.port}`)
  /** Measures the longest of some approvals, in ms. They take the last entries, which the walk reaches after them. */
  async function approveSome(): Promise<number> {
    const times: number[] = []
    for (const igdbId of ids.splice(-APPROVALS)) {
      const request = await insertRequest(db, { payload: { igdbId } })
      await sleep(APPROVALS_APART_MS)
      const approve = async () => {
        const path = `/requests/${request._id.toHexString()}/decision`
        const { statusCode, body } = await postJson(pool, path, { cookie, body: APPROVE })
        const text = await body.text()
        if (statusCode !== 200) throw new Error(`an approval answered ${statusCode}: ${text}`)
      }
      times.push(await timeOf(approve))
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
