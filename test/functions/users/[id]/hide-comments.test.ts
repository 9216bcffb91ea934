import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

let ahead = 0
const { service, admin, reader, gameId, insert } = await useDiscussion({ clock: () => new Date(Date.now() + ahead) })
const { db } = service
service.deps.commentActs.start()

const statusOf = async (_id: ObjectId) => (await db.comments.findOne({ _id }))?.status
const hide = async (id: string, body: object = {}) =>
  (await admin.post(`/users/${id}/hide-comments`, { body })).body.actId

/** Moves the clock beyond the requests that began before an act, and waits for the job. */
async function untilCarriedOut(): Promise<void> {
  ahead += 10_000
  service.deps.commentActs.wake()
  while ((await db.staffActions.countDocuments({ isPending: true })) > 0) await sleep(20)
}

it('200: an act hides what is visible since a time and notifies the user once; its undoing shows it again', async () => {
  const user = await service.caller()
  const userId = new ObjectId(user.id)
  const old = await insert({ userId, createdAt: new Date('2020-01-01') })
  const recent = [await insert({ userId }), await insert({ userId })]
  const hidden = await insert({ userId, status: 'hidden' })
  const theirs = await insert()
  const actId = await hide(user.id, { since: '2021-01-01T00:00:00.000Z' })
  await untilCarriedOut()
  const later = await insert({ userId, createdAt: new Date(Date.now() + ahead) })

  for (const _id of recent) expect(await statusOf(_id)).toBe('hidden')
  for (const _id of [old, theirs, later]) expect(await statusOf(_id)).toBe('visible')
  const notifications = async () => (await user.get('/notifications')).body.items
  expect(await notifications()).toMatchObject([{ type: 'comment-moderated', payload: { count: 2, status: 'hidden' } }])
  const { results } = (await admin.get(`/staff-actions?target=${user.id}`)).body
  expect(results).toMatchObject([{ _id: actId, action: 'comments-hidden', details: { count: 2 } }])

  for (const _ of 'ab') expect((await admin.delete(`/users/${user.id}/hide-comments/${actId}`)).body).toEqual({ actId })
  await untilCarriedOut()
  for (const _id of recent) expect(await statusOf(_id)).toBe('visible')
  expect(await statusOf(hidden)).toBe('hidden')
  expect(await notifications()).toMatchObject([{ payload: { count: 2, status: 'visible' } }])
  expect(await db.staffActions.countDocuments({ action: 'comments-shown', 'target.id': user.id })).toBe(1)
})

it('200: an act leaves what an admin decides meanwhile, and hides what a suspended user posts until the suspension', async () => {
  const user = await service.caller()
  const userId = new ObjectId(user.id)
  const [kept, shown, hiddenAgain] = [await insert({ userId }), await insert({ userId }), await insert({ userId })]
  await reader.post(`/comments/${kept}/report`)
  const act = { since: null, count: null }
  const target = { kind: 'user' as const, id: user.id, name: 'somebody' }
  const named = { userId: new ObjectId(admin.id), userName: 'admin' }
  // The first decision comes before the job knows the act.
  const at = new Date(Date.now() + ahead)
  await admin.post(`/reports/${kept}/decision`, { body: { action: 'keep' } })
  const pending = { action: 'comments-hidden', target, details: act, isPending: true } as const
  const { insertedId } = await db.staffActions.insertOne({ _id: new ObjectId(), at, admin: named, ...pending })
  service.deps.commentActs.wake()
  while ((await statusOf(hiddenAgain)) !== 'hidden' || (await statusOf(shown)) !== 'hidden') await sleep(20)
  await admin.patch(`/comments/${shown}/status`, { body: { status: 'visible' } })
  await admin.patch(`/comments/${hiddenAgain}/status`, { body: { status: 'hidden' } })
  ahead += 1_000
  const between = await insert({ userId, createdAt: new Date(Date.now() + ahead) })
  await admin.put(`/users/${user.id}/suspension`, { body: { until: null, reason: 'Spam' } })
  await untilCarriedOut()
  expect([await statusOf(kept), await statusOf(shown), await statusOf(between)]).toEqual([
    'visible',
    'visible',
    'hidden',
  ])

  await admin.delete(`/users/${user.id}/hide-comments/${insertedId}`)
  await untilCarriedOut()
  expect([await statusOf(hiddenAgain), await statusOf(between)]).toEqual(['hidden', 'visible'])
})

it('200: an undoing opens the reports again, and puts back what was taken from unread notifications', async () => {
  const [user, author, reporter] = [await service.caller(), await service.caller(), await service.caller()]
  const thread = await insert({ userId: new ObjectId(author.id) })
  const post = async (by: Caller, parentId: ObjectId | string) =>
    (await by.post('/comments', { body: { gameId, parentId: String(parentId), body: 'An answer' } })).body._id as string
  const [first, second, theirs] = [await post(user, thread), await post(user, thread), await post(reporter, thread)]
  for (const id of [first, theirs]) await admin.post(`/comments/${id}/report`)
  for (const id of [first, second, theirs])
    await author.post(`/comments/${id}/report`, { body: { reason: 'spam', note: 'Seen' } })
  await reporter.post(`/comments/${first}/report`)
  const otherAdmin = await service.caller({ isAdmin: true })
  await otherAdmin.post(`/reports/${theirs}/decision`, { body: { action: 'hide' } })
  const state = async () => ({
    reports: await db.reports.find({ gameId }).sort({ _id: 1 }).toArray(),
    comments: await db.comments
      .find({ gameId }, { projection: { rev: 0, sentBy: 0, actId: 0, notificationId: 0, decidedReportsCount: 0 } })
      .sort({ _id: 1 })
      .toArray(),
    notifications: await db.notifications
      .find(
        { userId: { $in: [author, reporter, admin].map(({ id }) => new ObjectId(id)) } },
        { projection: { type: 1, count: 1, facts: 1, actors: 1, actorsCount: 1, commentId: 1, isRead: 1, _id: 0 } },
      )
      .sort({ userId: 1, type: 1 })
      .toArray(),
  })
  const before = await state()
  const actId = await hide(user.id)
  await untilCarriedOut()
  const { body } = await author.get('/notifications?types=all')
  expect(body.items).toMatchObject([{ type: 'report-decided', payload: { outcome: 'acted-on', count: 3 } }])
  await admin.delete(`/users/${user.id}/hide-comments/${actId}`)
  await untilCarriedOut()
  expect(await state()).toEqual(before)
  const decided = await db.comments.distinct('_id', { parentId: thread, decidedReportsCount: { $gt: 0 } })
  expect(decided.map(String)).toEqual([theirs])
})
