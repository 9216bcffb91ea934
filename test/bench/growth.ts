import { MongoClient } from 'mongodb'
import { io } from 'socket.io-client'
import { request } from 'undici'
import { cookieOf } from '../support/rows/rows.ts'
import { startServer } from './child.ts'
import { examine } from './examine.ts'
import { CASES, type Case } from './growth-cases.ts'
import { fillGrown } from './growth-data.ts'
import { median, timeOf } from './load.ts'
import { heading, line } from './report.ts'
import { addressOf, BENCH_SECRET } from './scene.ts'

const SCALES = [1, 20, 100] as const
const SAMPLES = 20
const WARM_UP = 3
/** A figure at 100x is at most so many times that at 1x. */
const GOAL = 2

interface Measured {
  ms: number
  /** Keys and documents that the database examined for one request. */
  keys: number
  documents: number
}

async function measure(uri: string, scale: number): Promise<Map<string, Measured>> {
  const data = await fillGrown(uri, scale)
  const deps = { jwtSecret: BENCH_SECRET }
  const cookies = await Promise.all(data.userIds.slice(0, SAMPLES + WARM_UP + 5).map((id) => cookieOf(deps, id)))
  const server = await startServer(uri)
  const client = await MongoClient.connect(uri)
  const db = client.db()

  const royal = io(`http://127.0.0.1:${server.port}/royal`, {
    transports: ['websocket'],
    extraHeaders: { cookie: cookies[0] ?? '' },
  })

  const send = async ({ call, name }: Case, sample: number) => {
    const called = call(data, sample)
    if ('event' in called) {
      const ack = await royal.emitWithAck(called.event, called.payload)
      if (!ack.ok) throw new Error(`${name}: ${ack.error}`)
      return
    }
    const { method, path, user, body: sent } = called
    const headers = {
      // Makes the service read the database: a cached page would be measured otherwise.
      'x-request-id': 'changed',
      ...(user !== undefined && { cookie: cookies[user] }),
      ...(sent && { 'content-type': 'application/json' }),
    }
    const answer = await request(`http://127.0.0.1:${server.port}${path}`, {
      method,
      headers,
      body: JSON.stringify(sent),
    })
    const text = await answer.body.text()
    if (answer.statusCode >= 400) throw new Error(`${name}: ${answer.statusCode} ${text}`)
  }
  const measured = new Map<string, Measured>()
  for (const each of CASES) {
    const times: number[] = []
    for (let sample = 0; sample < SAMPLES + WARM_UP; sample++) times.push(await timeOf(() => send(each, sample)))
    const examined = await examine(db, () => send(each, SAMPLES + WARM_UP))
    measured.set(each.name, { ms: median(times.slice(WARM_UP)), ...examined })
  }
  royal.disconnect()
  await client.close()
  await server.stop()
  return measured
}

/** Prints how the median and what the database examines grow for every list and write from 1x over 20x to 100x. */
export async function benchGrowth(uri: string): Promise<void> {
  const results: Map<string, Measured>[] = []
  for (const scale of SCALES) results.push(await measure(addressOf(uri, `growth-${scale}`), scale))
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
