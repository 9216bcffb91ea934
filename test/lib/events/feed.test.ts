import { MongoClient } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { type Database, openDatabase } from '../../../lib/db/connect.ts'
import { createFeed } from '../../../lib/events/feed.ts'
import { createMetrics } from '../../../lib/observability/metrics.ts'
import { captureLog } from '../../support/service/capture-log.ts'
import { newDatabaseUri } from '../../support/service/database-pool.ts'
import { dropDatabase } from '../../support/service/drop-database.ts'

const WAIT = { timeout: 30_000, interval: 20 }

function createLoggedFeed({ connectFeed }: Database) {
  const { log, lines } = captureLog()
  const parts = { instance: 'one', log, metrics: createMetrics(), connect: connectFeed }
  return { feed: createFeed(parts), lines }
}

it('says once why it cannot be opened', async () => {
  const db = openDatabase('mongodb://127.0.0.1:1/away')
  const { feed, lines } = createLoggedFeed(db)
  await feed.open({ onChanges: async () => {}, onHistoryLost: () => {} })
  expect(feed.isLive()).toBe(false)
  const told = lines.filter(({ msg }) => msg === 'change stream not opened')
  expect(told).toEqual([expect.objectContaining({ err: expect.objectContaining({ message: expect.any(String) }) })])
  await feed.close()
  await db.close()
})

it('starts anew after a change that is too large to be told, with one warning and without what it had cached', async () => {
  // Without indexes, which would have to hold the id, too.
  const uri = newDatabaseUri()
  const db = openDatabase(uri)
  const { feed, lines } = createLoggedFeed(db)
  const cache = feed.createCache<{ name: string }>({ maxBytes: 1_000, sizeOf: () => 1 })
  const heardOf: unknown[] = []
  let lostCount = 0
  await feed.open({
    onChanges: async (changes) => {
      heardOf.push(...changes.map(({ id }) => id))
    },
    onHistoryLost: () => {
      lostCount += 1
    },
  })
  const key = 'a'.repeat(24)
  await cache.read(key, async () => ({ name: 'before' }))
  const client = new MongoClient(uri)
  const foreign = client.db().collection<{ _id: string }>('comments')
  // The stream names a change by its id, twice: in hex and as it is.
  await foreign.insertOne({ _id: 'x'.repeat(7 * 1024 * 1024) })
  await vi.waitUntil(() => lostCount === 1, WAIT)
  expect(feed.isLive()).toBe(true)
  expect(cache.get(key)).toBeUndefined()
  await foreign.insertOne({ _id: 'small' })
  await vi.waitUntil(() => heardOf.length > 0, WAIT)

  expect(heardOf).toEqual(['small'])
  expect(lostCount).toBe(1)
  expect(lines.filter(({ level }) => level === 'warn')).toEqual([
    expect.objectContaining({ msg: expect.stringMatching(/^changes were missed/) }),
  ])
  await Promise.all([client.close(), feed.close()])
  await db.close()
  await dropDatabase(uri)
})
