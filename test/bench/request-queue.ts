import { MongoClient, ObjectId } from 'mongodb'
import { Pool } from 'undici'
import { RequestKind, RequestStatus } from '../../lib/contract/requests.ts'
import { type ContentRequestDocument, QUEUE } from '../../lib/db/collections/content-requests.ts'
import type { Database } from '../../lib/db/connect.ts'
import { median } from './load.ts'
import { heading, line, ratio } from './report.ts'

const LENGTH = 100_000
const CHUNK = 5_000
const READS = 60
const WARM_UP = 10

interface Queue {
  port: number
  db: Database
  admin: { cookie: string }
}

const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? Number.NaN

const each = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at))
const inMs = (value: number) => `${value.toFixed(1)} ms`

async function time(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

async function fillQueue(db: Database): Promise<void> {
  const users = each(500, () => new ObjectId())
  const statuses = ['pending', 'pending', 'approved', 'rejected'] as const
  for (let from = 0; from < LENGTH; from += CHUNK) {
    const rows = each(CHUNK, (index): ContentRequestDocument => {
      const number = from + index
      return {
        _id: new ObjectId(),
        kind: number % 3 === 0 ? 'character' : 'game',
        action: 'add',
        targetId: null,
        payload: { name: `Proposed ${number}`, summary: 'A light in the dark. '.repeat(10) },
        status: statuses[number % 4] ?? 'pending',
        userId: users[number % 500] ?? new ObjectId(),
        createdAt: new Date(Date.now() - ((number * 7_919) % LENGTH) * 1_000),
      }
    })
    await db.contentRequests.insertMany(rows, { ordered: false })
  }
}

interface Profiled {
  planSummary: string
  hasSortStage?: true
  docsExamined: number
}

/** How the database found what some work read of the requests. */
async function profileReads(uri: string, db: Database, work: () => Promise<unknown>): Promise<Profiled[]> {
  const client = new MongoClient(uri)
  const server = client.db(db.contentRequests.dbName)
  await server.command({ profile: 2 })
  await work()
  await server.command({ profile: 0 })
  const filter = { ns: db.contentRequests.namespace, planSummary: { $exists: true } }
  const reads = await server.collection('system.profile').find<Profiled>(filter).toArray()
  await server.dropCollection('system.profile')
  await client.close()
  return reads
}

/** The queue of admins when it is long, against the two commands that it consists of. */
export async function benchQueue(uri: string, { port, db, admin }: Queue): Promise<void> {
  await fillQueue(db)
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 1 })
  const send = async (query: string) => {
    const { statusCode, body } = await pool.request({
      method: 'GET',
      path: `/requests?${query}`,
      headers: { cookie: admin.cookie },
    })
    await body.dump()
    if (statusCode !== 200) throw new Error(`the server answered ${statusCode}`)
  }
  const read = (query: string) => time(() => send(query))
  /** Straight to the database, as far as the index alone answers it. */
  async function readBare(query: string): Promise<void> {
    const { status, kind, take, page = 1 } = Object.fromEntries(new URLSearchParams(query))
    const filter = {
      status: { $in: status === undefined ? RequestStatus.options : [RequestStatus.parse(status)] },
      kind: { $in: kind === undefined ? RequestKind.options : [RequestKind.parse(kind)] },
    }
    const direction = status === 'pending' ? 1 : -1
    const limit = Number(take)
    await Promise.all([
      db.contentRequests
        .find(filter, { hint: QUEUE })
        .sort({ createdAt: direction, _id: direction })
        .skip((Number(page) - 1) * limit)
        .limit(limit)
        .toArray(),
      db.contentRequests.countDocuments(filter, { hint: QUEUE }),
    ])
  }
  heading(`GET /requests with ${LENGTH.toLocaleString('en')} requests`)
  for (const [title, query] of [
    ['pending, the badge (take 1)', 'status=pending&take=1'],
    ['pending, first page', 'status=pending&take=20'],
    ['pending games, page 100', 'status=pending&kind=game&take=20&page=100'],
    ['all, newest first', 'take=20'],
  ] as const) {
    const [ours, bare]: [number[], number[]] = [[], []]
    for (const number of each(READS + WARM_UP, Number)) {
      const took = [await read(query), await time(() => readBare(query))] as const
      if (number >= WARM_UP) {
        ours.push(took[0])
        bare.push(took[1])
      }
    }
    const reads = await profileReads(uri, db, () => read(query))
    const isScan = reads.every(
      ({ planSummary, hasSortStage }) => /^(IXSCAN|COUNT_SCAN|IDHACK)/.test(planSummary) && !hasSortStage,
    )
    const most = Math.max(...reads.map(({ docsExamined }) => docsExamined))
    const plan = isScan ? 'index scans' : 'NO INDEX SCAN'
    line(title, `p50 ${inMs(median(ours))}, p95 ${inMs(percentile(ours, 0.95))}, ${plan}, ${most} documents read`)
    ratio('p50 / the bare find and count', median(ours) / median(bare), { atMost: 2 })
  }
  await pool.close()
}
