import { ObjectId } from 'mongodb'
import { beforeEach, expect, it } from 'vitest'
import { takeVotesBack } from '#lib/domain/comments/set-like'
import type { UserDocument } from '#lib/infrastructure/db/collections/users'
import type { Caller } from '../../../support/clients/caller.ts'
import { insertRows, newNotification } from '../../../support/rows/rows.ts'
import { expectRecount } from '../../../support/scenes/account-scene.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'
import { randomFrom } from '../../../support/tools/random.ts'

const HIDE_AFTER = 3
const DAY_MS = 24 * 60 * 60 * 1_000
const RATES = { commentsPerMinute: 10_000, commentChangesPerMinute: 10_000, reportsHideAfter: HIDE_AFTER }
const scene = await useTwins({ config: RATES }, { config: RATES })
const { service, admin, author, insert } = scene
const { comments, notifications, reports, staffActions, users } = service.db
const callers = (count: number) => Promise.all(Array.from({ length: count }, () => service.caller()))
const people = await callers(8)
const random = randomFrom(30)
const atEither = (caller: Caller) => (random() < 0.5 ? caller : scene.atOther(caller))

const report = (caller: Caller, _id: ObjectId, body = {}) => atEither(caller).post(`/comments/${_id}/report`, { body })
const decide = (_id: ObjectId, action: string) => atEither(admin).post(`/reports/${_id}/decision`, { body: { action } })
const setUser = (caller: Caller, facts: Partial<UserDocument>) =>
  users.updateOne({ _id: new ObjectId(caller.id) }, { $set: facts })

beforeEach(async () => {
  await notifications.deleteMany({ type: 'report-decided' })
})

/** Expects the counts of comments to equal a recount, and one notification for each decided report. */
async function expectNotifiedOnce() {
  await expectRecount(service.db)
  const stored = await reports.find().toArray()
  for (const { _id, reportsCount, decidedReportsCount = 0 } of await comments.find().toArray()) {
    const ofComment = stored.filter(({ commentId }) => commentId.equals(_id))
    const open = ofComment.filter(({ outcome }) => outcome === null).length
    expect([reportsCount, decidedReportsCount]).toEqual([open, ofComment.length - open])
  }
  const sent = await notifications.find({ type: 'report-decided' }).toArray()
  for (const { id } of people) {
    for (const outcome of ['acted-on', 'kept']) {
      const isSame = (facts: object | null) => facts !== null && 'outcome' in facts && facts.outcome === outcome
      const counts = sent
        .filter(({ userId, facts }) => String(userId) === id && isSame(facts))
        .map(({ count }) => count)
      const decided = stored.filter((each) => String(each.reporterId) === id && each.outcome === outcome)
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(decided.length)
    }
  }
}

it('every reporter is notified once, and counts equal a recount, after any schedule over two instances', async () => {
  const threadId = await insert({ repliesCount: 12 })
  const replies = await Promise.all(
    Array.from({ length: 12 }, () => insert({ parentId: threadId, replyToId: threadId })),
  )
  const all = [threadId, ...replies]
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const acts = [
    () => report(pick(people), pick(all)),
    () => report(pick(people), pick(all)),
    () => report(pick(people), pick(all)),
    () => decide(pick(all), pick(['hide', 'keep', 'delete'])),
    () => atEither(admin).patch(`/comments/${pick(all)}/status`, { body: { status: pick(['hidden', 'visible']) } }),
    () => atEither(author).delete(`/comments/${pick(replies)}`),
    () => atEither(pick(people)).patch('/notifications/read', { body: { all: true } }),
  ]
  const statuses: number[] = []
  for (let round = 0; round < 15; round++) {
    const answers = await Promise.all(Array.from({ length: 6 }, () => pick(acts.slice(0, round < 4 ? 3 : undefined))()))
    statuses.push(...answers.map(({ status }) => status))
  }

  expect(statuses.filter((status) => ![200, 404, 409].includes(status))).toEqual([])
  expect(await reports.countDocuments({ outcome: { $ne: null } })).toBeGreaterThan(5)
  await expectNotifiedOnce()
})

it('the report that reaches the limit hides the comment once, until an admin keeps it', async () => {
  for (let round = 0; round < 3; round++) {
    const threadId = await insert({ repliesCount: 1 })
    const _id = await insert({ parentId: threadId, replyToId: threadId })
    const [young, suspended, ended] = [await service.caller(), await service.caller(), await service.caller()]
    const suspension = { until: null, reason: 'Spam', at: new Date(), by: new ObjectId() }
    await setUser(young, { createdAt: new Date(Date.now() - 6 * DAY_MS) })
    const others = await callers(HIDE_AFTER + 3)
    for (const each of [young, suspended]) expect((await report(each, _id)).status).toBe(200)
    await setUser(suspended, { suspension })
    await setUser(ended, { suspension: { ...suspension, until: new Date(Date.now() - DAY_MS) } })
    const tabs = await scene.watchBoth(scene.gameId)
    const answers = await Promise.all([ended, ...others].map((each) => report(each, _id)))

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(HIDE_AFTER)
    expect(answers.filter(({ status }) => status === 404)).toHaveLength(4)
    const counted = { reportsCount: HIDE_AFTER + 2, status: 'hidden' }
    expect(await comments.findOne({ _id })).toMatchObject(counted)
    expect(await comments.findOne({ _id: threadId })).toMatchObject({ repliesCount: 0 })
    const entry = { action: 'comment-hidden', admin: null, details: { reason: 'reports' } }
    expect(await staffActions.find({ 'target.id': String(_id) }).toArray()).toMatchObject([entry])
    const [notified] = (await author.get('/notifications')).body.items
    expect(notified).toMatchObject({ payload: { commentId: String(_id), status: 'hidden', reason: 'reports' } })
    expect((await decide(_id, 'keep')).body).toMatchObject({ status: 'visible', reportsCount: 0 })
    await scene.caughtUp()
    const statuses = (await Promise.all(tabs.map((tab) => tab.seen()))).map((seen) =>
      seen.filter(({ event }) => event === 'comment:status').map(({ payload }) => payload.status),
    )
    expect(statuses).toEqual(Array(2).fill(['hidden', 'visible']))
    expect(await reports.countDocuments({ commentId: _id, outcome: 'kept' })).toBe(HIDE_AFTER + 2)
    expect(await comments.findOne({ _id: threadId })).toMatchObject({ repliesCount: 1 })
  }
})

it('hiding a comment that reports have hidden is a decision without an event', async () => {
  const _id = await insert()
  for (const each of people.slice(0, HIDE_AFTER)) await report(each, _id)
  const [tab] = await scene.watchBoth(scene.gameId)
  const hidden = await admin.patch(`/comments/${_id}/status`, { body: { status: 'hidden', reason: 'Rude' } })

  expect(hidden.body).toMatchObject({ status: 'hidden', reportsCount: 0 })
  expect(await reports.countDocuments({ commentId: _id, outcome: 'acted-on' })).toBe(HIDE_AFTER)
  const [notified] = (await author.get('/notifications')).body.items
  expect(notified.payload).toMatchObject({ commentId: String(_id), status: 'hidden', reason: 'Rude' })
  expect((await staffActions.find({ 'target.id': String(_id) }).toArray()).map(({ action }) => action)).toEqual(
    Array(2).fill('comment-hidden'),
  )
  await scene.caughtUp()
  expect(await tab.seen()).toEqual([])
})

it('a comment hidden by reports still waits for admins after the accounts of the reporters are erased', async () => {
  const _id = await insert()
  for (const each of people.slice(0, HIDE_AFTER)) await report(each, _id)
  for (const { id, user } of people.slice(0, HIDE_AFTER)) {
    const actor = { user: { _id: new ObjectId(id), userName: user?.userName ?? '', isAdmin: false } }
    await takeVotesBack(service.deps, actor, { commentId: String(_id) })
  }
  expect((await admin.get('/reports?held=true')).body).toMatchObject({
    results: [{ comment: { _id: String(_id), status: 'hidden' }, reasons: { held: 1 }, count: 0 }],
  })
  expect((await author.get(`/comments/${_id}`)).status).toBe(404)
  expect((await author.patch(`/comments/${_id}`, { body: { body: 'Another text' } })).status).toBe(403)
  expect((await decide(_id, 'keep')).body).toMatchObject({ status: 'visible' })
  expect((await decide(_id, 'keep')).status).toBe(409)
})

it('a decided report counts again only after an edit of the comment', async () => {
  const _id = await insert()
  const reader = await service.caller()
  await report(reader, _id, { reason: 'spoiler', note: 'The end' })
  await report(reader, _id, { reason: 'spam' })
  expect(await reports.find({ commentId: _id }).toArray()).toMatchObject([{ reason: 'spoiler', note: 'The end' }])
  await decide(_id, 'keep')
  expect((await report(reader, _id)).body).toEqual({ isReported: true })
  expect(await comments.findOne({ _id })).toMatchObject({ reportsCount: 0, decidedReportsCount: 1 })

  await author.patch(`/comments/${_id}`, { body: { body: 'Something else' } })
  expect((await report(reader, _id, { reason: 'abuse' })).body).toEqual({ isReported: true })
  expect(await comments.findOne({ _id })).toMatchObject({ reportsCount: 1, decidedReportsCount: 0 })
  expect(await reports.find({ commentId: _id }).toArray()).toMatchObject([{ reason: 'abuse', outcome: null, by: null }])
  expect((await decide(_id, 'hide')).status).toBe(200)
  const sent = await notifications
    .find({ userId: new ObjectId(reader.id) })
    .sort({ updatedAt: 1 })
    .toArray()
  expect(sent.map(({ facts }) => facts)).toEqual([{ outcome: 'kept' }, { outcome: 'acted-on' }])
})

it('one decision notifies 1,000 reporters, whose inboxes may be full', async () => {
  const _id = await insert()
  const at = new Date()
  const userId = new ObjectId()
  const reporterIds = [userId, ...Array.from({ length: 999 }, () => new ObjectId())]
  const stamps = { createdAt: at, updatedAt: at }
  await insertRows(
    users,
    reporterIds.map((id) => ({ _id: id, userName: `r ${id}`, email: `${id}@x.example`, ...stamps })),
  )
  const open = { reason: null, note: null, at, outcome: null, by: null, decidedAt: null, decisionReason: null }
  const about = { commentId: _id, gameId: scene.gameId, authorId: new ObjectId(author.id) }
  await insertRows(
    reports,
    reporterIds.map((reporterId) => ({ _id: new ObjectId(), ...about, reporterId, ...open })),
  )
  await comments.updateOne({ _id }, { $set: { reportsCount: 1_000, reportedBy: reporterIds } })
  const full = Array.from({ length: 500 }, (_, index) =>
    newNotification({ userId, type: 'comment-moderated', updatedAt: new Date(at.getTime() - 1_000 - index) }),
  )
  await insertRows(notifications, full)

  expect((await decide(_id, 'keep')).status).toBe(200)
  const kept = { type: 'report-decided' as const, count: 1 }
  expect(await notifications.countDocuments({ userId: { $in: reporterIds }, ...kept })).toBe(1_000)
  expect(await notifications.countDocuments({ userId })).toBe(500)
  expect(await comments.findOne({ _id })).toMatchObject({ reportsCount: 0, decidedReportsCount: 1_000 })
})
