import { MongoClient, ObjectId } from 'mongodb'
import { io } from 'socket.io-client'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { OWN_CHANGES_READ_MS } from '../../lib/concurrency/timeouts.ts'
import type { Caller } from '../support/clients/caller.ts'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { startDatabaseProxy } from '../support/processes/database-proxy.ts'
import { type PrivateMongo, startPrivateMongo } from '../support/processes/private-mongo.ts'
import { startTwins, untilCaughtUp } from '../support/scenes/twin-scene.ts'
import { captureLog } from '../support/service/capture-log.ts'
import { BUSY_MACHINE_MS } from '../support/service/start-service.ts'
import { randomFrom } from '../support/tools/random.ts'

const LIMITS = { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000' }
const WAIT = { timeout: 60_000, interval: 50 }
/** Own changes of before the outage are still read after it. */
const AWAY_MS = OWN_CHANGES_READ_MS + 2_000

let mongo: PrivateMongo | undefined
afterEach(async () => {
  await mongo?.remove()
  mongo = undefined
})

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a database that is away under load for longer than own changes are read after a lost answer', () => {
  it.each([{ seed: 21 }])(
    'leaves every socket of both instances with the final state: seed $seed',
    async ({ seed }) => {
      mongo = await startPrivateMongo()
      const scene = await startTwins({ mongodbUri: mongo.uri, env: LIMITS }, { env: LIMITS })
      const { feed } = scene.service.deps
      const random = randomFrom(seed)
      const commentIds = await Promise.all(Array.from({ length: 4 }, () => scene.insert()))
      const readers = [
        await watchDiscussion(scene.service.baseUrl, scene.gameId),
        await watchDiscussion(scene.other.baseUrl, scene.gameId),
      ]
      const users = await Promise.all(Array.from({ length: 6 }, () => scene.service.caller()))
      let isOver = false
      const work = async (user: Caller) => {
        while (!isOver) {
          const path = `/comments/${commentIds[Math.floor(random() * commentIds.length)]}/like`
          const { status } = await (random() < 0.5 ? user.put(path) : user.delete(path))
          expect([200, 503]).toContain(status)
        }
      }
      const load = users.flatMap((user) => [work(user), work(scene.atOther(user))])
      await vi.waitUntil(async () => (await readers[0]?.seen())?.length !== 0, WAIT)
      await mongo.kill()
      await vi.waitUntil(() => !feed.isLive(), WAIT)
      await sleep(AWAY_MS)
      mongo.start()
      await vi.waitUntil(() => feed.isLive() && scene.other.deps.feed.isLive(), WAIT)
      isOver = true
      await Promise.all(load)
      await vi.waitUntil(() => feed.isLive() && scene.other.deps.feed.isLive(), WAIT)
      await scene.caughtUp()

      for (const reader of readers) {
        const seen = await reader.seen()
        for (const { _id, likesCount, likedBy } of await scene.service.db.comments.find().toArray()) {
          const last = seen.findLast(({ payload }) => payload.commentId === String(_id))
          expect(likesCount).toBe(likedBy?.length ?? 0)
          expect(last?.payload.likesCount ?? 0).toBe(likesCount)
        }
        reader.close()
      }
      await scene.close()
    },
    180_000,
  )
})

describe('a history that has rolled over while the feed was cut', () => {
  it.each([{ seed: 51 }])(
    'empties the caches, closes the sockets, and warns once: seed $seed',
    async ({ seed }) => {
      const random = randomFrom(seed)
      mongo = await startPrivateMongo({ oplogMb: 1, checkpointSeconds: 1 })
      const proxy = await startDatabaseProxy(mongo.uri)
      const { log, lines } = captureLog()
      const scene = await startTwins({ mongodbUri: mongo.uri, feedUri: proxy.uri, log, timeoutMs: BUSY_MACHINE_MS })
      const { feed } = scene.service.deps
      const texts = new Map<string, string>()
      for (let index = 0; index < 20; index++) texts.set(String(await scene.insert({ body: 'first' })), 'first')
      await untilCaughtUp(scene.service.deps)
      const read = async () => {
        const { body } = await scene.service.guest.get(`/games/${scene.gameId}/comments?take=50`)
        return new Map(body.results.map((comment: { _id: string; body: string }) => [comment._id, comment.body]))
      }
      expect(await read()).toEqual(texts)

      const client = io(`${scene.service.baseUrl}/comments`, { transports: ['websocket'], forceNew: true })
      const connections: (string | undefined)[] = []
      client.on('connect', () => connections.push(client.id))
      await vi.waitUntil(() => connections.length === 1, WAIT)

      proxy.cut()
      await vi.waitUntil(() => !feed.isLive(), WAIT)
      const foreign = new MongoClient(mongo.uri)
      const db = foreign.db('gamehall')
      for (let change = 0; change < 10; change++) {
        const id = [...texts.keys()][Math.floor(random() * texts.size)] ?? ''
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
      client.disconnect()
      await foreign.close()
      await scene.close()
      await proxy.close()
    },
    180_000,
  )
})
