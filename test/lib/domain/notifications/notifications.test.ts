import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { NOTIFICATIONS_KEPT } from '#lib/contract/limits'
import { notifyModeration } from '#lib/domain/notifications/notify-moderation'
import { type Caller, createCaller } from '../../../support/clients/caller.ts'
import { profile } from '../../../support/clients/profile.ts'
import { insertComment, insertGame, insertRows } from '../../../support/rows/rows.ts'
import { BUSY_MACHINE_MS, useService } from '../../../support/service/start-service.ts'
import { randomFrom } from '../../../support/tools/random.ts'

let alice: Caller
let gameId: ObjectId
let answered: { _id: ObjectId; userId: ObjectId }

const service = await useService({ config: { commentsPerMinute: 10_000, commentChangesPerMinute: 10_000 } })
const admin = await service.caller({ isAdmin: true })
beforeEach(async () => {
  alice = await service.caller()
  gameId = await insertGame(service.db, { name: 'Lantern Keep' })
  const userId = new ObjectId(alice.id)
  answered = { _id: await insertComment(service.db, { gameId, userId }), userId }
})

const list = async (query = '') => (await alice.get(`/notifications${query}`)).body

async function reply(by: Caller, body = '<p>Well said</p>'): Promise<ObjectId> {
  const answer = await by.post('/comments', { body: { gameId, parentId: answered._id, body } })
  expect(answer).toMatchObject({ status: 201, body: { userId: by.id } })
  return new ObjectId(answer.body._id)
}

async function hide(_id: ObjectId): Promise<void> {
  expect(await admin.patch(`/comments/${_id}/status`, { body: { status: 'hidden' } })).toMatchObject({ status: 200 })
}

it('replies are grouped while unread, with the newest three different authors', async () => {
  const [bob, carol, dan, eve] = [
    await service.caller(),
    await service.caller(),
    await service.caller(),
    await service.caller(),
  ]
  for (const each of [bob, carol, bob, dan, eve]) await reply(each)
  const last = await reply(bob, '<p>Fish &amp; chips</p>')

  const { results, total, unread } = await list()
  expect({ total, unread }).toEqual({ total: 1, unread: 1 })
  expect(results).toEqual([
    {
      _id: expect.any(String),
      type: 'reply',
      count: 6,
      actors: [bob, eve, dan].map(({ id, user }) => ({ _id: id, userName: user?.userName })),
      gameId: gameId.toHexString(),
      gameName: 'Lantern Keep',
      gameSlug: expect.any(String),
      commentId: last.toHexString(),
      requestId: null,
      facts: null,
      excerpt: 'Fish & chips',
      isRead: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ])
})

it('replies to oneself send no notification', async () => {
  await reply(alice)
  expect(await list()).toEqual({ results: [], total: 0, unread: 0 })
})

it('replies that are hidden leave an unread notification, an empty one goes, a read one keeps its count', async () => {
  const [bob, carol] = [await service.caller(), await service.caller()]
  const first = await reply(bob)
  const second = await reply(carol)
  await hide(second)
  expect((await list()).results).toMatchObject([{ count: 1, actors: [{ _id: bob.id }], commentId: String(first) }])
  await hide(first)
  expect(await list()).toEqual({ results: [], total: 0, unread: 0 })

  const third = await reply(bob)
  const [{ _id, updatedAt }] = (await list()).results
  expect((await alice.post('/notifications/read', { body: { ids: [_id] } })).body).toEqual({ unread: 0 })
  await hide(third)
  expect((await list()).results).toMatchObject([{ _id, count: 1, isRead: true, excerpt: '', updatedAt }])
  await reply(carol)
  expect((await list()).results).toMatchObject([
    { count: 1, isRead: false },
    { _id, isRead: true },
  ])
})

it('replies that arrive at once are all counted', async () => {
  const callers = await Promise.all(Array.from({ length: 12 }, () => service.caller()))
  await Promise.all(callers.map((each) => reply(each)))
  expect((await list()).results).toMatchObject([{ count: 12 }])
})

it('replies with a spoiler show no excerpt', async () => {
  const _id = await reply(await service.caller())
  await service.db.comments.updateOne({ _id }, { $set: { isSpoiler: true } })
  expect((await list()).results).toMatchObject([{ excerpt: '' }])
})

it("moderation notifies the author without the admin's name, grouped while unread", async () => {
  const bob = await service.caller()
  const own = await admin.post('/comments', { body: { gameId, body: '<p>Mine</p>' } })
  await hide(new ObjectId(own.body._id))
  await hide(answered._id)
  await hide(answered._id)
  expect((await list()).results).toMatchObject([
    { type: 'moderation', count: 1, actors: [], commentId: String(answered._id), facts: { status: 'hidden' } },
  ])
  await admin.patch(`/comments/${answered._id}/status`, { body: { status: 'visible' } })
  expect(await list()).toMatchObject({ total: 1, results: [{ facts: { status: 'visible' } }] })
  const kept = await reply(bob)
  await bob.delete(`/comments/${kept}`)
  await admin.delete(`/comments/${answered._id}`)
  expect(await list()).toMatchObject({ total: 1, results: [{ facts: { status: 'deleted' } }] })
  expect((await bob.get('/notifications')).body.total).toBe(0)
  expect((await admin.get('/notifications')).body.total).toBe(0)
})

it('counts equal those of the comments after any schedule over two instances', async () => {
  const random = randomFrom(31)
  const other = await useService({
    mongodbUri: service.mongodbUri,
    timeoutMs: BUSY_MACHINE_MS,
    config: { commentsPerMinute: 10_000, commentChangesPerMinute: 10_000 },
  })
  const at = (caller: Caller) =>
    random() < 0.5 ? caller : createCaller({ baseUrl: other.baseUrl, ...(caller.user && { user: caller.user }) })
  const people = await Promise.all(Array.from({ length: 4 }, () => service.caller()))
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]
  const replies: string[] = []
  const acts = [
    async () => {
      const { status, body } = await at(pick(people) ?? alice).post('/comments', {
        body: { gameId, parentId: answered._id, body: '<p>Reply</p>' },
      })
      if (status === 201) replies.push(body._id)
    },
    async () => at(admin).patch(`/comments/${pick(replies)}/status`, { body: { status: 'hidden' } }),
    async () => at(admin).patch(`/comments/${pick(replies)}/status`, { body: { status: 'visible' } }),
    async () => at(admin).delete(`/comments/${pick(replies)}`),
    async () => at(alice).post('/notifications/read', { body: { until: new Date().toISOString() } }),
  ]
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 5 }, () => (pick(acts.slice(0, round === 0 ? 1 : 5)) ?? pick(acts))?.()))
  }

  const { notifications, comments } = service.db
  const stored = await notifications.find({ userId: answered.userId, type: 'reply' }).toArray()
  const counted = await comments.find({ parentId: answered._id, notificationId: { $exists: true } }).toArray()
  const countOf = (_id: ObjectId) => counted.filter(({ notificationId }) => notificationId?.equals(_id)).length
  const unread = stored.filter(({ isRead }) => !isRead)
  expect(unread.map(({ count }) => count)).toEqual(unread.map(({ _id }) => countOf(_id)))
  expect(unread.length).toBeLessThanOrEqual(1)
  // A read one keeps the replies that have gone since.
  for (const { _id, count, isRead } of stored) if (isRead) expect(count).toBeGreaterThanOrEqual(countOf(_id))
  expect(counted.filter(({ status }) => status !== 'visible')).toEqual([])
  const known = new Set(stored.map(({ _id }) => String(_id)))
  expect(counted.filter(({ notificationId }) => !known.has(String(notificationId)))).toEqual([])
  expect((await list()).unread).toBe(await notifications.countDocuments({ userId: answered.userId, isRead: false }))
})

const moderate = (key: ObjectId) =>
  service.db.transaction((session) =>
    notifyModeration(
      service.deps,
      { user: { _id: new ObjectId(), userName: 'root', isAdmin: true } },
      { _id: key, gameId, userId: answered.userId, status: 'hidden' },
      session,
    ),
  )

it('200: a reading until a time keeps newer notifications unread, and the order', async () => {
  const ids = [new ObjectId(), new ObjectId(), new ObjectId()]
  for (const id of ids) await moderate(id)
  const [newest, middle, oldest] = (await list()).results
  expect(newest).toMatchObject({
    type: 'moderation',
    count: 1,
    actors: [],
    excerpt: null,
    facts: { status: 'hidden' },
  })

  const read = await alice.post('/notifications/read', { body: { until: middle.updatedAt } })
  expect(read.body).toEqual({ unread: 1 })
  expect((await list()).results.map((row: { _id: string }) => row._id)).toEqual([newest._id, middle._id, oldest._id])
  const unreadOnly = await list('?unread=true')
  expect(unreadOnly).toMatchObject({ total: 1, unread: 1, results: [{ _id: newest._id }] })
  expect((await list('?take=1&page=2')).results).toMatchObject([{ _id: middle._id }])
})

it('200: unknown notifications, and those of other users, change nothing', async () => {
  await moderate(new ObjectId())
  const [{ _id }] = (await list()).results
  const bob = await service.caller()
  expect((await bob.post('/notifications/read', { body: { ids: [_id] } })).body).toEqual({ unread: 0 })
  expect((await bob.delete(`/notifications/${_id}`)).body).toEqual({ unread: 0 })
  expect(await list()).toMatchObject({ total: 1, unread: 1 })
  expect(await alice.delete(`/notifications/${_id}`)).toMatchObject({ status: 200, body: { unread: 0 } })
  expect(await alice.delete(`/notifications/${_id}`)).toMatchObject({ status: 200, body: { unread: 0 } })
  expect(await list()).toEqual({ results: [], total: 0, unread: 0 })
})

it.each([{}, { ids: [String(new ObjectId())], until: new Date() }])('400 for a reading with %j', async (body) => {
  expect((await alice.post('/notifications/read', { body })).status).toBe(400)
})

it('200: the newest 500 notifications of a user are kept, and listed by an index', async () => {
  const at = new Date(Date.now() - 60_000)
  const rows = Array.from({ length: NOTIFICATIONS_KEPT }, (_, index) => ({
    _id: new ObjectId(),
    userId: answered.userId,
    type: 'moderation' as const,
    key: `moderation:${index}`,
    count: 1,
    actors: [],
    gameId,
    commentId: null,
    requestId: null,
    facts: { status: 'hidden' as const },
    isRead: index % 2 === 0,
    createdAt: at,
    updatedAt: new Date(at.getTime() + index),
    rev: 1,
    changeOf: 'x',
  }))
  await insertRows(service.db.notifications, rows)
  await moderate(new ObjectId())
  expect(await list()).toMatchObject({ total: NOTIFICATIONS_KEPT })
  expect(await service.db.notifications.findOne({ _id: rows[0]?._id ?? new ObjectId() })).toBeNull()

  const commands = await profile(service.db, 'notifications', () => list('?take=20'))
  expect(commands.map(({ planSummary }) => planSummary)).not.toContain('COLLSCAN')
  for (const { keysExamined, docsExamined } of commands) {
    expect(keysExamined).toBeLessThanOrEqual(NOTIFICATIONS_KEPT + 1)
    expect(docsExamined).toBeLessThanOrEqual(20)
  }
})
