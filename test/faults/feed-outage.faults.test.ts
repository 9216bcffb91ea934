import { MongoClient, ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { openClient } from '../support/clients/clients.ts'
import { useDatabaseProxy } from '../support/processes/database-proxy.ts'
import { usePrivateMongo } from '../support/processes/private-mongo.ts'
import { useTwins } from '../support/scenes/twin-scene.ts'
import { captureLog } from '../support/service/capture-log.ts'
import { BUSY_MACHINE_MS } from '../support/service/start-service.ts'
import { untilCaughtUp } from '../support/service/until-caught-up.ts'

const WAIT = { timeout: 60_000, interval: 50 }

it('a history that has rolled over while the feed was cut empties the caches, closes the sockets, and warns once', async () => {
  const mongo = await usePrivateMongo({ oplogMb: 1, checkpointSeconds: 1 })
  const proxy = await useDatabaseProxy(mongo.uri)
  const { log, lines } = captureLog()
  const scene = await useTwins({ mongodbUri: mongo.uri, feedUri: proxy.uri, log, timeoutMs: BUSY_MACHINE_MS })
  const { feed } = scene.service.deps
  const texts = new Map<string, string>()
  for (let index = 0; index < 20; index++) texts.set(String(await scene.insert({ body: 'first' })), 'first')
  await untilCaughtUp(scene.service.deps)
  const read = async () => {
    const { body } = await scene.service.guest.get(`/games/${scene.gameId}/comments?take=50`)
    return new Map(body.results.map((comment: { _id: string; body: string }) => [comment._id, comment.body]))
  }
  expect(await read()).toEqual(texts)

  const client = openClient(scene.service.baseUrl, '/comments', { reconnection: true })
  const connections: (string | undefined)[] = []
  client.on('connect', () => connections.push(client.id))
  await vi.waitUntil(() => connections.length === 1, WAIT)

  proxy.cut()
  await vi.waitUntil(() => !feed.isLive(), WAIT)
  const foreign = new MongoClient(mongo.uri)
  const db = foreign.db('gamehall')
  for (let change = 0; change < 10; change++) {
    const id = [...texts.keys()][change] ?? ''
    texts.set(id, `text ${change}`)
    await db.collection('comments').updateOne({ _id: new ObjectId(id) }, { $set: { body: `text ${change}` } })
  }
  const oplog = foreign.db('local').collection('oplog.rs')
  const [change] = await oplog.find().sort({ $natural: -1 }).limit(1).toArray()
  await vi.waitUntil(
    async () => {
      const junk = Array.from({ length: 20 }, () => ({ _id: new ObjectId(), text: 'x'.repeat(500_000) }))
      await db.collection('junk').insertMany(junk)
      await db.collection('junk').deleteMany({})
      const [oldest] = await oplog.find().sort({ $natural: 1 }).limit(1).toArray()
      return oldest?.ts.greaterThan(change?.ts)
    },
    { timeout: 60_000, interval: 200 },
  )
  proxy.restore()
  await vi.waitUntil(() => connections.length === 2, WAIT)
  await vi.waitUntil(() => feed.isLive(), WAIT)

  expect(await read()).toEqual(texts)
  expect(lines.filter(({ msg }) => String(msg).startsWith('changes were missed'))).toHaveLength(1)
  await foreign.close()
})
