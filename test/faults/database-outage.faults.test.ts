import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import type { Socket } from 'socket.io-client'
import { afterAll, expect, it, vi } from 'vitest'
import type { RoyalClientEvents, RoyalServerEvents } from '../../lib/contract/namespaces/royal.ts'
import type { Answer, Caller } from '../support/clients/caller.ts'
import { openClient } from '../support/clients/clients.ts'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { usePrivateMongo } from '../support/processes/private-mongo.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'
import { SITE, startService } from '../support/service/start-service.ts'
import { watchPauses } from '../support/service/watch-pauses.ts'

const WAIT = { timeout: 60_000 }
/** The pause between two requests of a caller, who would occupy the machine otherwise. */
const PAUSE_MS = 50

const mongo = await usePrivateMongo()
const service = await startService({
  mongodbUri: mongo.uri,
  env: { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000' },
})
const callers: Caller[] = await Promise.all(Array.from({ length: 16 }, () => service.caller()))
const gameId = await insertGame(service.db)
const hot = await insertComment(service.db, { gameId, userId: new ObjectId() })
const reader = await watchDiscussion(service.baseUrl, gameId)
const royal: Socket<RoyalServerEvents, RoyalClientEvents> = openClient(service.baseUrl, '/royal', {
  cookie: callers[0]?.cookie ?? '',
  origin: SITE,
})
afterAll(async () => {
  await service.close()
})

interface Sent {
  answer: Answer
  /** Times of `performance.now()`. */
  startedAt: number
  endedAt: number
}

/** Lets every caller write and read until `stop`, whatever the answers are. */
function startLoad() {
  const sent: Sent[] = []
  let isOver = false
  const requests = [
    (caller: Caller) => caller.put(`/comments/${hot}/like`),
    (caller: Caller) => caller.delete(`/comments/${hot}/like`),
    (caller: Caller) => caller.post('/comments', { body: { gameId, body: 'Hello', parentId: hot } }),
    (caller: Caller) => caller.post('/comments', { body: { gameId, body: 'Hello' } }),
    (caller: Caller) => caller.get(`/games/${gameId}/comments`),
  ]
  const workers = callers.map(async (caller, index) => {
    for (let number = index; !isOver; number++) {
      const send = requests[number % requests.length]
      const startedAt = performance.now()
      const answer = await send?.(caller)
      if (answer) sent.push({ answer, startedAt, endedAt: performance.now() })
      await sleep(PAUSE_MS)
    }
  })
  return {
    sent,
    async stop() {
      isOver = true
      await Promise.all(workers)
    },
  }
}

/** How long each answer took of the time in which this process could run. */
const timesOf = (sent: readonly Sent[], { missedBetween }: ReturnType<typeof watchPauses>) =>
  sent.map(({ startedAt, endedAt }) => endedAt - startedAt - missedBetween(startedAt, endedAt))

it('503 within 3 s while the database is gone, from a service that keeps its sockets and works again without a restart', async () => {
  const disconnects: string[] = []
  royal.on('disconnect', (reason) => disconnects.push(reason))
  const game = await insertGame(service.db)
  await royal.emitWithAck('royal:add', { gameIds: [game.toHexString()] })
  const pauses = watchPauses()
  const load = startLoad()
  try {
    const hasAnswered = (status: number) => load.sent.some(({ answer }) => answer.status === status)

    await vi.waitUntil(() => load.sent.length > 200, WAIT)
    await mongo.kill()
    await vi.waitUntil(() => hasAnswered(503), WAIT)
    expect(await royal.emitWithAck('royal:add', { gameIds: [game.toHexString()] })).toEqual({
      ok: false,
      error: 'Could not update royal games',
    })
    expect(await royal.emitWithAck('royal:sync', {})).toEqual({ ok: false, error: 'Could not load royal games' })
    const refused = await service.guest.get('/readyz')
    expect(refused).toMatchObject({
      status: 503,
      body: { error: 'Service Unavailable', message: 'Service Unavailable' },
    })
    expect((await service.guest.get('/healthz')).status).toBe(200)
    const refusedSoFar = load.sent.length
    await vi.waitUntil(() => load.sent.length > refusedSoFar + callers.length, WAIT)

    mongo.start()
    const outageEnds = load.sent.length
    const created = () => load.sent.slice(outageEnds).filter(({ answer }) => answer.status === 201)
    await vi.waitUntil(() => created().length > 50, WAIT)
  } finally {
    await load.stop()
    pauses.stop()
  }

  const statuses = new Set(load.sent.map(({ answer }) => answer.status))
  expect([...statuses].sort()).toEqual([200, 201, 503])
  expect(Math.max(...timesOf(load.sent, pauses))).toBeLessThan(3_000)
  for (const { answer } of load.sent.filter(({ answer }) => answer.status === 503)) {
    expect(answer.body).toMatchObject({ statusCode: 503, message: 'Service Unavailable' })
    expect(answer.body.requestId).toBeTypeOf('string')
  }

  const stored = new Set((await service.db.comments.find({ gameId }).toArray()).map(({ _id }) => _id.toHexString()))
  const acknowledged = load.sent.filter(({ answer }) => answer.status === 201).map(({ answer }) => answer.body._id)
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([])

  const events = await reader.seen()
  const announced = events.filter(({ event }) => event === 'comment:created').map(({ payload }) => payload.commentId)
  expect(announced.filter((id) => !stored.has(id))).toEqual([])
  expect(new Set(announced).size).toBe(announced.length)

  // The change stream brings a last like whose answer was lost.
  await vi.waitFor(async () => {
    const final = await service.db.comments.findOne({ _id: hot })
    const lastLikes = (await reader.seen()).findLast(({ event }) => event === 'comment:likes')
    expect(final?.likesCount).toBe(final?.likedBy?.length)
    expect(lastLikes?.payload.likesCount).toBe(final?.likesCount)
  }, WAIT)

  expect(disconnects).toEqual([])
  expect(await royal.emitWithAck('royal:sync', {})).toEqual({
    ok: true,
    royalGames: [game.toHexString()],
    rejected: [],
  })
  expect((await service.guest.get('/readyz')).status).toBe(200)
})

it('503 within 3 s while the database hangs, however many requests wait for one thread, and 200 when it is back', async () => {
  const requests = callers.flatMap((caller) => [
    () => caller.put(`/comments/${hot}/like`),
    () => caller.post('/comments', { body: { gameId, body: 'Hello', parentId: hot } }),
    () => service.guest.get(`/games/${gameId}/comments`),
  ])
  const sendAll = (toSend = requests) =>
    Promise.all(
      toSend.map(async (send) => {
        const startedAt = performance.now()
        return { send, answer: await send(), startedAt, endedAt: performance.now() }
      }),
    )
  await mongo.freeze()
  const pauses = watchPauses()
  try {
    let slowestMs = Number.POSITIVE_INFINITY
    // The best of a few tries counts, because other processes may hold the machine up.
    for (let tries = 0; tries < 5 && slowestMs >= 3_000; tries += 1) {
      const sent = await sendAll()
      expect(new Set(sent.map(({ answer }) => answer.status))).toEqual(new Set([503]))
      slowestMs = Math.max(...timesOf(sent, pauses))
    }
    expect(slowestMs).toBeLessThan(3_000)
  } finally {
    pauses.stop()
    mongo.thaw()
  }
  await vi.waitUntil(async () => (await service.guest.get('/readyz')).status === 200, WAIT)
  // A busy machine may not do all work in the time of one request, so only refused requests are sent again.
  let left = requests
  await vi.waitFor(async () => {
    const refused = (await sendAll(left)).filter(({ answer }) => answer.status >= 300)
    left = refused.map(({ send }) => send)
    expect(refused.map(({ answer: { status, body } }) => ({ status, body }))).toEqual([])
  }, WAIT)
  const stored = await service.db.comments.findOne({ _id: hot })
  expect(stored?.likesCount).toBe(stored?.likedBy?.length)
})
