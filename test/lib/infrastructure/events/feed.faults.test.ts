import { setTimeout as sleep } from 'node:timers/promises'
import { MongoClient } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Database, openDatabase } from '#lib/infrastructure/db/connect'
import { createFeed, type Feed, type FeedListener } from '#lib/infrastructure/events/feed'
import { createSentBy } from '#lib/infrastructure/events/sent-by'
import { createMetrics } from '#lib/infrastructure/observability/metrics'
import { type DatabaseProxy, startDatabaseProxy } from '../../../support/processes/database-proxy.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'
import { captureLog } from '../../../support/service/capture-log.ts'

const INSTANCE = 'one'
const LOCAL_READ_MS = 2_000
const WAIT = { timeout: 30_000, interval: 20 }

function createLoggedFeed({ connectFeed }: Database) {
  const { log, lines } = captureLog()
  const parts = { instance: INSTANCE, localReadMs: LOCAL_READ_MS, log, metrics: createMetrics(), connect: connectFeed }
  return { feed: createFeed(parts), lines }
}

/** Opens a feed of a new database without indexes, in which another program writes comments. */
async function openFeed(listener: FeedListener) {
  const bare = await useBareDatabase()
  const db = openDatabase(bare.uri)
  const { feed, lines } = createLoggedFeed(db)
  onTestFinished(async () => {
    await feed.close()
    await db.close()
  })
  const cache = feed.createCache<{ name: string }>({ maxBytes: 1_000, sizeOf: () => 1 })
  await feed.open(listener)
  return { feed, lines, cache, foreign: bare.db.collection<{ _id: string }>('comments') }
}

it('the feed starts again after a change that is too large, with one warning and empty caches', async () => {
  const delivered: unknown[] = []
  let lostCount = 0
  const { feed, lines, cache, foreign } = await openFeed({
    onChanges: async (changes) => {
      delivered.push(...changes.map(({ id }) => id))
    },
    onChangesMissed: () => {
      lostCount += 1
    },
  })
  const key = 'a'.repeat(24)
  await cache.read(key, async () => ({ name: 'before' }))
  // The stream names a change by its id, twice: in hex and as it is.
  await foreign.insertOne({ _id: 'x'.repeat(7 * 1024 * 1024) })
  await vi.waitUntil(() => lostCount === 1, WAIT)
  expect(feed.isLive()).toBe(true)
  expect(cache.get(key)).toBeUndefined()
  await foreign.insertOne({ _id: 'small' })
  await vi.waitUntil(() => delivered.length > 0, WAIT)

  expect(delivered).toEqual(['small'])
  expect(lostCount).toBe(1)
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    expect.objectContaining({ msg: expect.stringMatching(/^changes were missed/) }),
  ])
})

it('the feed is not live, and caches answer nothing, while changes wait to be followed', async () => {
  /** Sizes of the answers that are followed now. */
  const answers: { size: number; end: () => void }[] = []
  const arrives = async () => {
    await vi.waitUntil(() => answers.length > 0, WAIT)
    return answers.shift() ?? { size: 0, end: () => {} }
  }
  const { feed, cache, foreign } = await openFeed({
    onChanges: ({ length: size }) =>
      size === 0 ? Promise.resolve() : new Promise((end) => answers.push({ size, end })),
    onChangesMissed: () => {},
  })
  const insert = (count: number, name: string) =>
    foreign.insertMany(Array.from({ length: count }, (_, index) => ({ _id: `${name} ${index}` })))
  await vi.waitUntil(() => feed.isLive(), WAIT)
  const key = 'a'.repeat(24)

  await insert(1, 'slow')
  const slow = await arrives()
  await vi.waitUntil(() => !feed.isLive(), WAIT)
  await insert(2_000, 'many')
  slow.end()
  const full = await arrives()
  expect(full.size).toBe(1_000)
  expect(feed.isLive()).toBe(false)
  await cache.read(key, async () => ({ name: 'before' }))
  full.end()
  const second = await arrives()
  expect(second.size).toBe(1_000)
  expect(feed.isLive()).toBe(false)
  expect(cache.get(key)).toBeUndefined()
  second.end()
  await vi.waitUntil(() => feed.isLive(), WAIT)
  expect(cache.get(key)).toBeUndefined()
})

describe('after a lost answer', () => {
  const delivered = new Set<unknown>()
  let lostCount = 0
  let proxy: DatabaseProxy
  let client: MongoClient
  let db: Database
  let feed: Feed
  const comments = () => client.db().collection<{ _id: string }>('comments')
  const writeLocally = (_id: string) =>
    comments().updateOne({ _id }, { $set: { sentBy: createSentBy({ instance: INSTANCE }) }, $inc: { rev: 1 } })
  const isDelivered = (id: string) => vi.waitUntil(() => delivered.has(id), WAIT)

  beforeAll(async () => {
    proxy = await startDatabaseProxy()
    client = new MongoClient(proxy.target)
    db = openDatabase(proxy.uri)
    feed = createLoggedFeed(db).feed
    await comments().insertMany(['busy', 'quiet'].map((_id) => ({ _id })))
    await feed.open({
      onChanges: async (changes) => {
        for (const { id } of changes) delivered.add(id)
      },
      onChangesMissed: () => {
        lostCount += 1
      },
    })
  })
  afterAll(async () => {
    await Promise.all([client.close(), feed.close()])
    await db.close()
    await proxy.close()
  })

  it('the feed returns to the changes of others, however many local changes there are', async () => {
    feed.answerLost(performance.now())
    const endsAt = performance.now() + 2 * LOCAL_READ_MS
    while (performance.now() < endsAt) await writeLocally('busy')
    await comments().insertOne({ _id: 'foreign' })
    await isDelivered('foreign')
    expect(lostCount).toBe(0)
  })

  it('the feed delivers a write whose answer was lost just before a long outage', async () => {
    feed.answerLost(performance.now())
    await vi.waitUntil(() => feed.isLive(), WAIT)
    delivered.clear()
    proxy.cut()
    feed.answerLost(performance.now())
    await writeLocally('quiet')
    await sleep(2 * LOCAL_READ_MS)
    proxy.restore()
    await isDelivered('quiet')
  })
})
