import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { Answer, Caller } from '../../../support/clients/caller.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'

const scene = await useTwins()
const { service, admin, author, insert, watch } = scene
const { comments, reports, staffActions } = service.db
const otherAdmin = scene.atOther(await service.caller({ isAdmin: true }))
const people = await Promise.all(Array.from({ length: 4 }, () => service.caller()))

async function insertReported(reporters: readonly Caller[] = people) {
  const _id = await insert()
  for (const reporter of reporters) await reporter.post(`/comments/${_id}/report`, { body: { reason: 'spam' } })
  return _id
}

const decide = (caller: Caller, _id: ObjectId, action: string, reason?: string) =>
  caller.post(`/reports/${_id}/decision`, { body: { action, reason } })

const notificationsOf = async (caller: Caller, type: string) =>
  (await caller.get('/notifications?types=all&take=50')).body.items
    .filter((item: { type: string }) => item.type === type)
    .map(({ payload, actors }: { payload: object; actors: object[] }) => ({ ...payload, actors }))

/** Counts the notified decisions of each reporter by outcome. */
const countNotified = () =>
  Promise.all(
    people.map(async (caller): Promise<Record<string, number>> => {
      const notifications = await notificationsOf(caller, 'report-decided')
      return Object.fromEntries(notifications.map(({ outcome, count }: Record<string, string>) => [outcome, count]))
    }),
  )

/** Expects that each reporter was notified of one more decision. */
async function expectNotified(before: Awaited<ReturnType<typeof countNotified>>, outcome: string) {
  const expected = before.map((counts) => ({ ...counts, [outcome]: (counts[outcome] ?? 0) + 1 }))
  expect(await countNotified()).toEqual(expected)
}

it.each([
  { action: 'hide', status: 'hidden', outcome: 'acted-on', entry: 'comment-hidden' },
  { action: 'delete', status: 'deleted', outcome: 'acted-on', entry: 'comment-deleted' },
  { action: 'keep', status: 'visible', outcome: 'kept', entry: 'reports-cleared' },
])('200: $action resolves every report and notifies each reporter', async ({ action, status, outcome, entry }) => {
  const _id = await insertReported()
  const before = await countNotified()
  const tab = await watch()
  const { body } = await decide(admin, _id, action, 'Because of rule 3')

  expect(body).toMatchObject({ status, reportsCount: 0, isReported: false })
  expect(await comments.findOne({ _id })).toMatchObject({ reportsCount: 0, reportedBy: [], decidedReportsCount: 4 })
  const stored = await reports.find({ commentId: _id }).toArray()
  const decision = { outcome, by: new ObjectId(admin.id), decisionReason: 'Because of rule 3' }
  expect(stored).toMatchObject(Array(4).fill({ ...decision, decidedAt: expect.any(Date), reason: 'spam' }))
  expect(await staffActions.find({ 'target.id': String(_id) }).toArray()).toMatchObject([
    { action: entry, details: { reason: 'Because of rule 3', reportsCount: 4 } },
  ])
  await expectNotified(before, outcome)
  const [newest] = await notificationsOf(author, 'comment-moderated')
  if (status !== 'visible') {
    expect(newest).toMatchObject({ commentId: String(_id), status, reason: 'Because of rule 3' })
  }
  expect((await tab.seen()).map(({ payload }) => payload.status)).toEqual(status === 'visible' ? [] : [status])
  expect((await decide(admin, _id, action)).status).toBe(409)
})

it('200 for one of two admins who decide at once at two instances, 409 for the other', async () => {
  const pairs = ['hide', 'delete', 'keep'].flatMap((one) =>
    ['hide', 'delete', 'keep'].map((two) => [one, two] as const),
  )
  for (const [one, two] of pairs) {
    const _id = await insertReported()
    const before = await countNotified()
    const answers = await Promise.all([decide(admin, _id, one), decide(otherAdmin, _id, two)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    const isFirst = answers[0]?.status === 200
    const outcome = (isFirst ? one : two) === 'keep' ? 'kept' : 'acted-on'
    expect(await reports.countDocuments({ commentId: _id, outcome })).toBe(4)
    expect(await staffActions.countDocuments({ 'target.id': String(_id) })).toBe(1)
    await expectNotified(before, outcome)
  }
}, 60_000)

const patch = (_id: ObjectId, status: string) => admin.patch(`/comments/${_id}/status`, { body: { status } })

it.each<[verb: string, outcome: 'acted-on' | 'kept', act: (_id: ObjectId) => Promise<Answer>]>([
  ['a hiding by an admin', 'acted-on', (_id) => patch(_id, 'hidden')],
  ['a keeping by an admin', 'kept', (_id) => patch(_id, 'visible')],
  ['a deletion by an admin', 'acted-on', (_id) => admin.delete(`/comments/${_id}`)],
  ['a deletion by the author', 'acted-on', (_id) => author.delete(`/comments/${_id}`)],
])('200: %s resolves open reports, too, as %s', async (_, outcome, act) => {
  const _id = await insertReported()
  const before = await countNotified()
  expect((await act(_id)).status).toBe(200)
  expect(await reports.countDocuments({ commentId: _id, outcome })).toBe(4)
  await expectNotified(before, outcome)
  expect((await decide(admin, _id, 'keep')).status).toBe(409)
})

it('200: no notification names the admin', async () => {
  await decide(admin, await insertReported(), 'hide')
  const all = [
    ...(await notificationsOf(author, 'comment-moderated')),
    ...(await notificationsOf(people[0] ?? author, 'report-decided')),
  ]
  for (const { actors } of all) expect(actors).toEqual([])
  expect(JSON.stringify(all)).not.toContain(admin.id)
})

it('409 for a decision about a text that was edited after it was read', async () => {
  const _id = await insertReported()
  const { updatedAt } = (await admin.get(`/comments/${_id}`)).body
  await author.patch(`/comments/${_id}`, { body: { body: 'Something else' } })
  const body = { action: 'keep', updatedAt }
  expect((await admin.post(`/reports/${_id}/decision`, { body })).status).toBe(409)
  const read = (await admin.get(`/comments/${_id}`)).body
  expect((await admin.post(`/reports/${_id}/decision`, { body: { ...body, updatedAt: read.updatedAt } })).status).toBe(
    200,
  )
})

it('409 for a comment without open reports', async () => {
  expect((await decide(admin, await insert(), 'keep')).status).toBe(409)
})
