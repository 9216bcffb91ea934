import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import type { Caller } from '../support/clients/caller.ts'
import { openClient } from '../support/clients/clients.ts'
import { type Reader, watchDiscussion } from '../support/clients/watch-discussion.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'
import { expectFinalState } from '../support/scenes/final-state.ts'
import { insertGames } from '../support/scenes/royal-scene.ts'
import { useTwins } from '../support/scenes/twin-scene.ts'
import { createPatientQueue } from '../support/service/patient-queue.ts'
import { pickFrom, randomFrom } from '../support/tools/random.ts'

const LIMITS = { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000' }

const scene = await useTwins({ env: LIMITS, queue: createPatientQueue() }, { env: LIMITS, queue: createPatientQueue() })

/** Opens another game with a comment of the author, and a reader at each instance. */
async function openDiscussion() {
  const gameId = await insertGame(scene.service.db)
  const commentId = await scene.insert({ gameId })
  const [here, there] = await scene.watchBoth(gameId)
  return { gameId: String(gameId), commentId: String(commentId), here, there }
}

const untilSeen = (reader: Reader, count: number) =>
  vi.waitUntil(async () => (await reader.seen()).length >= count, { timeout: 20_000, interval: 20 })

it('an event has exactly its fields and comes in the order of the writes', async () => {
  const { gameId, here, there } = await openDiscussion()
  const { author, reader, admin } = scene
  const created = await author.post('/comments', { body: { gameId, body: 'first' } })
  const commentId = created.body._id
  await reader.put(`/comments/${commentId}/like`)
  await author.patch(`/comments/${commentId}`, { body: { body: 'second', isSpoiler: true } })
  const reply = await reader.post('/comments', { body: { gameId, parentId: commentId, body: 'reply' } })
  await admin.patch(`/comments/${reply.body._id}/status`, { body: { status: 'hidden' } })
  await admin.patch(`/comments/${commentId}/status`, { body: { status: 'hidden' } })
  await author.delete(`/comments/${commentId}`)
  await scene.caughtUp()
  await untilSeen(there, 7)

  const seen = await here.seen()
  expect(seen.map(({ event }) => event)).toEqual([
    'comment:created',
    'comment:likes',
    'comment:updated',
    'comment:created',
    'comment:status',
    'comment:status',
    'comment:status',
  ])
  expect(seen[3]?.payload).toEqual({ gameId, commentId: reply.body._id, parentId: commentId, parentRepliesCount: 1 })
  expect(seen[4]?.payload).toMatchObject({ parentId: commentId, parentRepliesCount: 0, status: 'hidden' })
  expect(await there.seen()).toEqual(seen)
})

it('the sender gets no event, at either instance', async () => {
  const { gameId, commentId, here, there } = await openDiscussion()
  const witness = await watchDiscussion(scene.other.baseUrl, gameId)
  await scene.reader.put(`/comments/${commentId}/like`, { socketId: there.socketId })
  await untilSeen(witness, 1)

  expect(await here.seen()).toHaveLength(1)
  expect(await there.seen()).toEqual([])
})

it('a royal list is sent to every socket but the sender', async () => {
  const [game = ''] = await insertGames(scene.service.db, 1)
  const open = (baseUrl: string) => openClient(baseUrl, '/royal', { cookie: scene.reader.cookie })
  const [mine, second, remote] = [open(scene.service.baseUrl), open(scene.service.baseUrl), open(scene.other.baseUrl)]
  const lists: Record<string, string[][]> = { mine: [], second: [], remote: [] }
  for (const [name, socket] of Object.entries({ mine, second, remote })) {
    socket.on('royal:changed', ({ royalGames }) => lists[name]?.push(royalGames))
    await socket.emitWithAck('royal:sync', {})
  }
  await mine.emitWithAck('royal:add', { gameIds: [game] })
  await vi.waitUntil(() => lists.remote?.length === 1 && lists.second?.length === 1, { timeout: 20_000 })

  expect(lists).toEqual({ mine: [], second: [[game]], remote: [[game]] })
})

it('one edit at both instances at once is one edit with one date', async () => {
  const { commentId, here, there } = await openDiscussion()
  const authors = [scene.author, scene.atOther(scene.author)]
  const dates: unknown[] = []
  for (let round = 0; round < 20; round++) {
    const body = { body: `text ${round}` }
    const answers = await Promise.all(authors.map((author) => author.patch(`/comments/${commentId}`, { body })))
    const [first, second] = answers.map((answer) => answer.body.updatedAt)
    expect(second).toBe(first)
    dates.push(first)
  }
  for (const reader of [here, there]) {
    // An instance reads the text of another's edit when it sends the event, so the text of a later edit may be sent twice.
    const seenDates = async () => (await reader.seen()).map(({ payload }) => payload.updatedAt)
    await vi.waitUntil(async () => (await seenDates()).at(-1) === dates.at(-1), { timeout: 20_000, interval: 20 })
    const seen = new Set(await seenDates())
    expect([...seen]).toEqual(dates.filter((date) => seen.has(date)))
  }
})

it('320 changes by 20 users at two instances leave every socket with the final state of everything', async () => {
  const random = randomFrom(11)
  const { gameId, commentId, here, there } = await openDiscussion()
  const pick = pickFrom(random)
  const { db } = scene.service
  const users = await Promise.all(Array.from({ length: 20 }, () => scene.service.caller()))
  const game = new ObjectId(gameId)
  const threads = await Promise.all(
    users.slice(0, 5).map(({ id }) => insertComment(db, { gameId: game, userId: new ObjectId(id) })),
  )
  const replies = await Promise.all(
    users.map(({ id }, index) => {
      const parentId = threads[index % threads.length] as ObjectId
      return insertComment(db, { gameId: game, userId: new ObjectId(id), parentId, replyToId: parentId })
    }),
  )
  for (const _id of threads) await db.comments.updateOne({ _id }, { $set: { repliesCount: 4 } })
  const all = [...threads, ...replies].map(String)
  const before = new Set([...all, commentId])
  const admins = [scene.admin, scene.atOther(scene.admin)]

  const change = async (user: Caller) => {
    const id = pick(all)
    const dice = random()
    if (dice < 0.3) return user.put(`/comments/${id}/like`)
    if (dice < 0.55) return user.delete(`/comments/${id}/like`)
    if (dice < 0.7) return user.patch(`/comments/${id}`, { body: { body: `text ${random()}` } })
    if (dice < 0.75)
      return user.post('/comments', { body: { gameId, parentId: pick(threads.map(String)), body: 'new' } })
    const status = random() < 0.5 ? 'visible' : 'hidden'
    return pick(admins).patch(`/comments/${pick(replies.map(String))}/status`, { body: { status } })
  }
  const both = users.flatMap((user) => [user, scene.atOther(user)])
  await Promise.all(
    both.map(async (user) => {
      for (let round = 0; round < 8; round++) expect((await change(user)).status).toBeLessThan(500)
    }),
  )
  const { feed } = scene.service.deps
  await vi.waitUntil(() => feed.isLive() && scene.other.deps.feed.isLive(), { timeout: 60_000, interval: 50 })
  await scene.caughtUp()

  const stored = await db.comments.find({ gameId: game }).toArray()
  for (const reader of [here, there]) {
    await expectFinalState(db, game, reader)
    const seen = await reader.seen()
    const created = seen
      .filter(({ event, payload }) => event === 'comment:created' && !before.has(payload.commentId))
      .map(({ payload }) => payload.commentId)
    const written = stored.filter(({ _id }) => !before.has(String(_id))).map(({ _id }) => String(_id))
    expect(created.sort()).toEqual(written.sort())
  }
}, 300_000)
