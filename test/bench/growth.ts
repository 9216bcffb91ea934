import { MongoClient } from 'mongodb'
import { request } from 'undici'
import { cookieOf } from '../support/rows/rows.ts'
import { startChild } from './child.ts'
import { fillGrown, type GrownData } from './growth-data.ts'
import { median } from './load.ts'
import { heading, line } from './report.ts'
import { BENCH_SECRET } from './scene.ts'

const SCALES = [1, 20, 100] as const
const SAMPLES = 20
const WARM_UP = 3
/** At most so much more at 100x than at 1x. */
const GOAL = 2

interface Call {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** Which of the users asks; the first is an admin. */
  user?: number
  body?: object
}

interface Case {
  name: string
  call(data: GrownData, sample: number): Call
  /** Why it grows by more than the goal. */
  reason?: string
}

interface Measured {
  ms: number
  /** Keys and documents that the database examined for one request. */
  keys: number
  documents: number
}

const read = (
  name: string,
  path: (data: GrownData) => string,
  more: { user?: number; reason?: string } = {},
): Case => ({
  name,
  ...(more.reason && { reason: more.reason }),
  call: (data) => ({ method: 'GET', path: path(data), ...(more.user !== undefined && { user: more.user }) }),
})
const body = { body: '<p>That trial scene!</p>' }
const COUNTED = 'counts what it found, up to the bound of its total, which the small data do not reach'

const CASES: readonly Case[] = [
  read('discussion, best first', ({ busyGame }) => `/games/${busyGame}/comments?sort=top`, {
    user: 1,
    reason: COUNTED,
  }),
  read('discussion, newest first', ({ busyGame }) => `/games/${busyGame}/comments?sort=new`, { reason: COUNTED }),
  read('discussion, page 40', ({ busyGame }) => `/games/${busyGame}/comments?sort=top&page=40`, {
    reason: 'the small discussion ends before',
  }),
  read('replies of one comment', ({ busyComment }) => `/comments/${busyComment}/replies`, { reason: COUNTED }),
  read('active discussions', () => '/discussions', {
    reason: 'reads the newest 1,000 comments, the small data have less of them in few games',
  }),
  read('game by slug', () => '/games/generated-7'),
  read('search of games, two frequent words', () => '/games/search?searchString=the%20of', { reason: COUNTED }),
  read('search of games, a title', () => '/games/search?searchString=final%20fantasy', { reason: COUNTED }),
  read('user by name', () => '/user/search?searchString=reader-7'),
  read('reported comments', () => '/comments/reported', { user: 0, reason: COUNTED }),
  read('conflicts, summary', () => '/conflicts', { user: 0, reason: 'counts what waits, at most once a second' }),
  read('conflicts, list', () => '/conflicts/list?state=waiting', {
    user: 0,
    reason: 'counts what waits, at most once a second',
  }),
  read('requests, own', () => '/requests/mine', { user: 1 }),
  read('requests, queue', () => '/requests?status=pending', { user: 0, reason: 'counts the queue from its index' }),
  read('staff log', () => '/staff-actions', { user: 0, reason: COUNTED }),
  read('staff log of an admin, one kind', ({ admin }) => `/staff-actions?admin=${admin}&kind=comment`, {
    user: 0,
    reason: COUNTED,
  }),
  {
    name: 'new comment',
    call: ({ busyGame }, sample) => ({
      method: 'POST',
      path: '/comments',
      user: sample,
      body: { gameId: busyGame, ...body },
    }),
  },
  {
    name: 'reply',
    call: ({ busyGame, busyComment }, sample) => ({
      method: 'POST',
      path: '/comments',
      user: sample,
      body: { gameId: busyGame, parentId: busyComment, ...body },
    }),
  },
  {
    name: 'like taken back, of many',
    call: ({ busyComment }, sample) => ({ method: 'DELETE', path: `/comments/${busyComment}/like`, user: sample + 1 }),
  },
  {
    name: 'like among many',
    call: ({ busyComment }, sample) => ({ method: 'PUT', path: `/comments/${busyComment}/like`, user: sample + 1 }),
  },
  {
    name: 'report',
    call: ({ busyComment }, sample) => ({ method: 'POST', path: `/comments/${busyComment}/report`, user: sample + 1 }),
  },
  {
    name: 'request',
    call: (_data, sample) => ({
      method: 'POST',
      path: '/requests',
      user: sample + 1,
      body: { kind: 'character', action: 'add', payload: { name: `Somebody ${sample}` }, sources: [] },
    }),
  },
  {
    name: 'decision of a conflict',
    call: (_data, sample) => ({
      method: 'POST',
      path: `/conflicts/vndb/v${3 * sample + 1}/decision`,
      user: 0,
      body: { gameId: null },
    }),
  },
]

/** Measures every case on data of one size. */
async function measure(uri: string, scale: number): Promise<Map<string, Measured>> {
  const data = await fillGrown(uri, scale)
  const deps = { jwtSecret: BENCH_SECRET }
  const cookies = await Promise.all(data.userIds.slice(0, SAMPLES + WARM_UP + 5).map((id) => cookieOf(deps, id)))
  const server = await startChild('./servers/gamehall.ts', { BENCH_MONGODB_URI: uri })
  const port = await server.ask('port')
  const client = await MongoClient.connect(uri)
  const db = client.db()

  const send = async ({ call, name }: Case, sample: number) => {
    const { method, path, user, body: sent } = call(data, sample)
    const headers = {
      // Reads come after a change: a page that is kept would be measured else.
      'x-request-id': 'changed',
      ...(user !== undefined && { cookie: cookies[user] }),
      ...(sent && { 'content-type': 'application/json' }),
    }
    const startedAt = performance.now()
    const answer = await request(`http://127.0.0.1:${port}${path}`, { method, headers, body: JSON.stringify(sent) })
    const text = await answer.body.text()
    if (answer.statusCode >= 400) throw new Error(`${name}: ${answer.statusCode} ${text}`)
    return performance.now() - startedAt
  }
  /** What the database examined for one more request. */
  const examine = async (each: Case) => {
    await db.command({ profile: 2 })
    await send(each, SAMPLES + WARM_UP)
    await db.command({ profile: 0 })
    const commands = await db
      .collection('system.profile')
      .find({ planSummary: { $exists: true } })
      .toArray()
    await db.dropCollection('system.profile')
    const sum = (field: string) => commands.reduce((total, command) => total + Number(command[field] ?? 0), 0)
    return { keys: sum('keysExamined'), documents: sum('docsExamined') }
  }

  const measured = new Map<string, Measured>()
  for (const each of CASES) {
    const times: number[] = []
    for (let sample = 0; sample < SAMPLES + WARM_UP; sample++) times.push(await send(each, sample))
    measured.set(each.name, { ms: median(times.slice(WARM_UP)), ...(await examine(each)) })
  }
  await client.close()
  await server.stop()
  return measured
}

/** Prints how the median and what the database examines grow for every list and write from 1x over 20x to 100x. */
export async function benchGrowth(uri: string): Promise<void> {
  const results: Map<string, Measured>[] = []
  for (const scale of SCALES) {
    const address = new URL(uri)
    address.pathname = `/growth-${scale}`
    results.push(await measure(address.href, scale))
  }
  heading(
    `Growth at ${SCALES.map((scale) => `${scale}x`).join(', ')}: median, keys and documents examined by one request`,
  )
  for (const { name, reason } of CASES) {
    const rows = results.flatMap((result) => result.get(name) ?? [])
    const list = (pick: (row: Measured) => string) => rows.map(pick).join(' / ')
    line(
      name,
      `${list(({ ms }) => ms.toFixed(1))} ms, keys ${list(({ keys }) => `${keys}`)}, documents ${list(({ documents }) => `${documents}`)}`,
    )
    const [first, last] = [rows[0], rows.at(-1)]
    if (first === undefined || last === undefined) continue
    const [time, keys] = [last.ms / first.ms, last.keys / Math.max(1, first.keys)]
    const verdict = Math.max(time, keys) <= GOAL ? 'met' : (reason ?? 'MISSED')
    line('', `time ${time.toFixed(1)}x, keys ${keys.toFixed(1)}x (goal at most ${GOAL}x: ${verdict})`)
  }
}
