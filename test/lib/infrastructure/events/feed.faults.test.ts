import { setTimeout as sleep } from 'node:timers/promises'
import type { Collection } from 'mongodb'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openDatabase } from '#lib/infrastructure/db/connect'
import { createFeed, type FeedListener } from '#lib/infrastructure/events/feed'
import { createSentBy } from '#lib/infrastructure/events/sent-by'
import { createMetrics } from '#lib/infrastructure/observability/metrics'
import { useDatabaseProxy } from '../../../support/processes/database-proxy.ts'
import { useBareDatabase } from '../../../support/service/bare-database.ts'
import { captureLog } from '../../../support/service/capture-log.ts'

const INSTANCE = 'one'
const STORED = 'stored'
const LOCAL_READ_MS = 2_000
const WAIT = { timeout: 30_000, interval: 20 }

/** Opens a feed, through a proxy, of a new database without indexes and with one comment. */
async function openFeed(listener: FeedListener) {
  const bare = await useBareDatabase()
  const comments = bare.db.collection<{ _id: string }>('comments')
  await comments.insertOne({ _id: STORED })
  const proxy = await useDatabaseProxy(bare.uri)
  const db = openDatabase(proxy.uri)
  const { log, lines } = captureLog()
  const connect = db.connectFeed
  const feed = createFeed({ instance: INSTANCE, localReadMs: LOCAL_READ_MS, log, metrics: createMetrics(), connect })
  onTestFinished(async () => {
    await feed.close()
    await db.close()
  })
  const cache = feed.createCache<{ name: string }>({ maxBytes: 1_000, sizeOf: () => 1 })
  await feed.open(listener)
  return { feed, lines, cache, proxy, comments }
}

/** Opens a feed with a listener that collects the ids of changes, and counts when changes were missed. */
async function openCollectedFeed() {
  const delivered: unknown[] = []
  let missedCount = 0
  const opened = await openFeed({
    onChanges: async (changes) => {
      delivered.push(...changes.map(({ id }) => id))
    },
    onChangesMissed: () => {
      missedCount += 1
    },
  })
  return { ...opened, delivered, missedCount: () => missedCount }
}

it('the feed starts again after a change that is too large, with one warning and empty caches', async () => {
  const { feed, lines, cache, comments, delivered, missedCount } = await openCollectedFeed()
  const key = 'a'.repeat(24)
  await cache.read(key, async () => ({ name: 'before' }))
  // The stream names a change by its id, twice: in hex and as it is.
  await comments.insertOne({ _id: 'x'.repeat(7 * 1024 * 1024) })
  await vi.waitUntil(() => missedCount() === 1, WAIT)
  expect(feed.isLive()).toBe(true)
  expect(cache.get(key)).toBeUndefined()
  await comments.insertOne({ _id: 'small' })
  await vi.waitUntil(() => delivered.length > 0, WAIT)

  expect(delivered).toEqual(['small'])
  expect(missedCount()).toBe(1)
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
  const { feed, cache, comments } = await openFeed({
    onChanges: ({ length: size }) =>
      size === 0 ? Promise.resolve() : new Promise((end) => answers.push({ size, end })),
    onChangesMissed: () => {},
  })
  const insert = (count: number, name: string) =>
    comments.insertMany(Array.from({ length: count }, (_, index) => ({ _id: `${name} ${index}` })))
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

/** Changes the stored comment as this instance does. */
const writeLocally = (comments: Collection<{ _id: string }>) =>
  comments.updateOne({ _id: STORED }, { $set: { sentBy: createSentBy({ instance: INSTANCE }) }, $inc: { rev: 1 } })

it('the feed returns to the changes of others after a lost answer, however many local changes there are', async () => {
  const { feed, comments, delivered, missedCount } = await openCollectedFeed()
  feed.answerLost(performance.now())
  const endsAt = performance.now() + 2 * LOCAL_READ_MS
  while (performance.now() < endsAt) await writeLocally(comments)
  await comments.insertOne({ _id: 'foreign' })
  await vi.waitUntil(() => delivered.includes('foreign'), WAIT)
  expect(missedCount()).toBe(0)
})

it('the feed delivers a write whose answer was lost just before a long outage', async () => {
  const { feed, comments, delivered, proxy } = await openCollectedFeed()
  feed.answerLost(performance.now())
  await vi.waitUntil(() => feed.isLive(), WAIT)
  delivered.length = 0
  proxy.cut()
  feed.answerLost(performance.now())
  await writeLocally(comments)
  await sleep(2 * LOCAL_READ_MS)
  proxy.restore()
  await vi.waitUntil(() => delivered.includes(STORED), WAIT)
})
