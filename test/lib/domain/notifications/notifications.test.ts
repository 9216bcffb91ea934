import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { NOTIFICATIONS_KEPT } from '#lib/contract/limits'
import { notifyModeration } from '#lib/domain/notifications/notify-moderation'
import type { Caller } from '../../../support/clients/caller.ts'
import { profile } from '../../../support/clients/profile.ts'
import { insertComment, insertGame, insertRows, newNotification } from '../../../support/rows/rows.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'
import { randomFrom } from '../../../support/tools/random.ts'

let alice: Caller
let gameId: ObjectId
let answered: { _id: ObjectId; userId: ObjectId }

const config = { commentsPerMinute: 10_000, commentChangesPerMinute: 10_000 }
const { service, admin, atOther } = await useTwins({ config }, { config })
beforeEach(async () => {
  alice = await service.caller()
  gameId = await insertGame(service.db, { name: 'Lantern Keep' })
  const userId = new ObjectId(alice.id)
  answered = { _id: await insertComment(service.db, { gameId, userId }), userId }
})

/** The payload of a notification to which nothing applies. */
const NO_PAYLOAD = {
  gameSlug: null,
  gameName: null,
  gameId: null,
  commentId: null,
  requestId: null,
  excerpt: null,
  count: 1,
  decision: null,
  requestKind: null,
  requestName: null,
  reason: null,
  status: null,
  outcome: null,
  until: null,
  appliedFields: null,
  leftOut: null,
  failedFields: null,
}
const NONE = { items: [], unreadCount: 0, nextCursor: null }
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
  const [bob, carol] = [await service.caller(), await service.caller()]
  const [dan, eve] = [await service.caller(), await service.caller()]
  for (const each of [bob, carol, bob, dan, eve]) await reply(each)
  const last = await reply(bob, '<p>Fish &amp; chips</p>')

  const { items, unreadCount } = await list()
  expect(unreadCount).toBe(1)
  expect(items).toEqual([
    {
      _id: expect.any(String),
      type: 'comment-reply',
      actors: [bob, eve, dan].map(({ id, user }) => ({ _id: id, userName: user?.userName })),
      actorsCount: 4,
      payload: {
        ...NO_PAYLOAD,
        count: 6,
        gameId: gameId.toHexString(),
        gameName: 'Lantern Keep',
        gameSlug: expect.any(String),
        commentId: last.toHexString(),
        excerpt: 'Fish & chips',
      },
      isRead: false,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    },
  ])
})

it('replies of a renamed user of a site show the present name', async () => {
  const bob = await service.caller()
  await reply(bob)
  const userName = `renamed-${bob.id.slice(-8)}`
  await service.db.users.updateOne({ _id: new ObjectId(bob.id) }, { $set: { userName } })
  expect((await list()).items).toMatchObject([{ actors: [{ _id: bob.id, userName }], actorsCount: 1 }])
})

it('replies to oneself send no notification', async () => {
  await reply(alice)
  expect(await list()).toEqual(NONE)
})

it('replies that are hidden leave an unread notification, an empty one goes, a read one keeps its count', async () => {
  const [bob, carol] = [await service.caller(), await service.caller()]
  const first = await reply(bob)
  const second = await reply(carol)
  await hide(second)
  expect((await list()).items).toMatchObject([
    { actors: [{ _id: bob.id }], actorsCount: 1, payload: { count: 1, commentId: String(first) } },
  ])
  await hide(first)
  expect(await list()).toEqual(NONE)

  const third = await reply(bob)
  const [{ _id, updatedAt }] = (await list()).items
  expect((await alice.patch('/notifications/read', { body: { ids: [_id] } })).body).toEqual({ unreadCount: 0 })
  await hide(third)
  expect((await list()).items).toMatchObject([
    { _id, actorsCount: 1, isRead: true, payload: { count: 1, excerpt: '' }, updatedAt },
  ])
  await reply(carol)
  expect((await list()).items).toMatchObject([
    { payload: { count: 1 }, isRead: false },
    { _id, isRead: true },
  ])
})

it('replies that arrive at once are all counted', async () => {
  const callers = await Promise.all(Array.from({ length: 12 }, () => service.caller()))
  await Promise.all(callers.map((each) => reply(each)))
  expect((await list()).items).toMatchObject([{ actorsCount: 12, payload: { count: 12 } }])
})

it('replies with a spoiler show no excerpt', async () => {
  const _id = await reply(await service.caller())
  await service.db.comments.updateOne({ _id }, { $set: { isSpoiler: true } })
  expect((await list()).items).toMatchObject([{ payload: { excerpt: '' } }])
})

it("moderation notifies the author without the admin's name, grouped while unread", async () => {
  const bob = await service.caller()
  const answer = await admin.post('/comments', { body: { gameId, body: '<p>Mine</p>' } })
  await hide(new ObjectId(answer.body._id))
  await hide(answered._id)
  await hide(answered._id)
  expect((await list()).items).toMatchObject([
    {
      type: 'comment-moderated',
      actors: [],
      actorsCount: 0,
      payload: { count: 1, commentId: String(answered._id), status: 'hidden' },
    },
  ])
  await admin.patch(`/comments/${answered._id}/status`, { body: { status: 'visible' } })
  expect(await list()).toMatchObject({ items: [{ payload: { status: 'visible' } }], nextCursor: null })
  const kept = await reply(bob)
  await bob.delete(`/comments/${kept}`)
  await admin.delete(`/comments/${answered._id}`)
  expect(await list()).toMatchObject({ items: [{ payload: { status: 'deleted' } }], nextCursor: null })
  expect((await bob.get('/notifications')).body).toEqual(NONE)
  expect((await admin.get('/notifications')).body).toEqual(NONE)
})

it('the counts of notifications equal those of the comments after any schedule over two instances', async () => {
  const random = randomFrom(31)
  const at = (caller: Caller) => (random() < 0.5 ? caller : atOther(caller))
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
    async () => at(alice).patch('/notifications/read', { body: { until: new Date().toISOString() } }),
  ]
  for (let round = 0; round < 10; round++) {
    await Promise.all(Array.from({ length: 5 }, () => (pick(acts.slice(0, round === 0 ? 1 : 5)) ?? pick(acts))?.()))
  }

  const { notifications, comments } = service.db
  const stored = await notifications.find({ userId: answered.userId, type: 'comment-reply' }).toArray()
  const counted = await comments.find({ parentId: answered._id, notificationId: { $exists: true } }).toArray()
  const countOf = (_id: ObjectId) => counted.filter(({ notificationId }) => notificationId?.equals(_id)).length
  const unread = stored.filter(({ isRead }) => !isRead)
  expect(unread.map(({ count }) => count)).toEqual(unread.map(({ _id }) => countOf(_id)))
  const peopleOf = (_id: ObjectId) =>
    new Set(counted.filter((each) => each.notificationId?.equals(_id)).map(({ userId }) => String(userId))).size
  expect(unread.map(({ actorsCount }) => actorsCount)).toEqual(unread.map(({ _id }) => peopleOf(_id)))
  expect(unread.length).toBeLessThanOrEqual(1)
  // A read one keeps the replies that have gone since.
  for (const { _id, count, isRead } of stored) if (isRead) expect(count).toBeGreaterThanOrEqual(countOf(_id))
  expect(counted.filter(({ status }) => status !== 'visible')).toEqual([])
  const storedIds = new Set(stored.map(({ _id }) => String(_id)))
  expect(counted.filter(({ notificationId }) => !storedIds.has(String(notificationId)))).toEqual([])
  expect((await list()).unreadCount).toBe(
    await notifications.countDocuments({ userId: answered.userId, isRead: false }),
  )
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

it('200: reading up to a time leaves newer notifications unread, and keeps the order', async () => {
  const ids = [new ObjectId(), new ObjectId(), new ObjectId()]
  for (const id of ids) await moderate(id)
  const [newest, middle, oldest] = (await list()).items
  expect(newest).toMatchObject({
    type: 'comment-moderated',
    actors: [],
    payload: { commentId: String(ids[2]), gameId: String(gameId), status: 'hidden', count: 1, excerpt: null },
  })

  const read = await alice.patch('/notifications/read', { body: { until: middle.updatedAt } })
  expect(read.body).toEqual({ unreadCount: 1 })
  expect((await list()).items.map((row: { _id: string }) => row._id)).toEqual([newest._id, middle._id, oldest._id])
})

it('200: unknown notifications, and those of other users, change nothing', async () => {
  await moderate(new ObjectId())
  const [{ _id }] = (await list()).items
  const bob = await service.caller()
  expect((await bob.patch('/notifications/read', { body: { ids: [_id] } })).body).toEqual({ unreadCount: 0 })
  expect(await list()).toMatchObject({ items: [{ _id }], unreadCount: 1 })
})

it.each([{}, { all: false }, { all: true, until: new Date() }, { ids: [String(new ObjectId())], until: new Date() }])(
  '400 for a reading with %j',
  async (body) => {
    expect((await alice.patch('/notifications/read', { body })).status).toBe(400)
  },
)

it('200: the newest 500 notifications of a user are kept, and listed by an index', async () => {
  const at = new Date(Date.now() - 60_000)
  const rows = Array.from({ length: NOTIFICATIONS_KEPT }, (_, index) =>
    newNotification({
      userId: answered.userId,
      type: 'comment-moderated',
      gameId,
      facts: { status: 'hidden', reason: null },
      isRead: index % 2 === 0,
      updatedAt: new Date(at.getTime() + index),
    }),
  )
  await insertRows(service.db.notifications, rows)
  await moderate(new ObjectId())
  expect(await service.db.notifications.countDocuments({ userId: answered.userId })).toBe(NOTIFICATIONS_KEPT)
  expect(await service.db.notifications.findOne({ _id: rows[0]?._id ?? new ObjectId() })).toBeNull()

  const commands = await profile(service.db, 'notifications', () => list('?take=20'))
  expect(commands.map(({ planSummary }) => planSummary)).not.toContain('COLLSCAN')
  for (const { keysExamined, docsExamined } of commands) {
    expect(keysExamined).toBeLessThanOrEqual(NOTIFICATIONS_KEPT + 1)
    expect(docsExamined).toBeLessThanOrEqual(21)
  }
})

it('no two notifications of a user have one updatedAt, however many change at once over two instances', async () => {
  const mine = await Promise.all(
    Array.from({ length: 12 }, () => insertComment(service.db, { gameId, userId: answered.userId })),
  )
  const [bob, carol] = [await service.caller(), await service.caller()]
  const replies = mine.flatMap((parentId) =>
    [bob, atOther(carol)].map((by) => by.post('/comments', { body: { gameId, parentId, body: '<p>Reply</p>' } })),
  )
  for (const { status } of await Promise.all(replies)) expect(status).toBe(201)
  // The newest change is ahead of the clock, as after a failover.
  await service.db.notifications.updateOne(
    { userId: answered.userId },
    { $set: { updatedAt: new Date(Date.now() + 5_000) } },
  )
  await Promise.all(mine.map((_id) => moderate(_id)))

  const stored = await service.db.notifications.find({ userId: answered.userId }).toArray()
  expect(stored).toHaveLength(24)
  expect(new Set(stored.map(({ updatedAt }) => updatedAt.getTime())).size).toBe(24)
  for (const { type, actorsCount, count } of stored)
    expect([actorsCount, count]).toEqual(type === 'comment-reply' ? [2, 2] : [0, 1])

  const listed: string[] = []
  let before: string | null = ''
  while (before !== null) {
    const page: { items: { _id: string }[]; unreadCount: number; nextCursor: string | null } = await list(
      `?take=5${before && `&before=${before}`}`,
    )
    expect(page.unreadCount).toBe(24)
    listed.push(...page.items.map(({ _id }) => _id))
    before = page.nextCursor
  }
  expect(listed).toEqual(stored.toSorted((a, b) => +b.updatedAt - +a.updatedAt).map(({ _id }) => String(_id)))
})
