import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { Database } from '#lib/infrastructure/db/connect'
import { endLeases } from '#lib/infrastructure/db/lease'
import type { Caller } from '../../../support/clients/caller.ts'
import type { Reader } from '../../../support/clients/watch-discussion.ts'
import { runChangesUntilKilled } from '../../../support/processes/spawn-change.ts'
import { insertComment, insertGame } from '../../../support/rows/rows.ts'
import { expectRecount } from '../../../support/scenes/account-scene.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'
import type { TestService } from '../../../support/service/start-service.ts'

const CLEAN_WITHIN_MS = 10_000
const STEPS = [
  'comment:counted',
  'comment:status-set',
  'reports:resolved',
  'reports:reopened',
  'comment:written',
  'act:changed',
  'act:finished',
]
const env = { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000', NEW_ACCOUNT_HOURS: '0' }

async function untilCarriedOut({ staffActions }: Database): Promise<void> {
  while ((await staffActions.countDocuments({ isPending: true })) > 0) await sleep(50)
}

/** The fields of a comment that its undoing puts back. */
const RESTORED = {
  status: 1,
  body: 1,
  repliesCount: 1,
  reportsCount: 1,
  reportedBy: 1,
  decidedReportsCount: { $ifNull: ['$decidedReportsCount', 0] },
}
const readComments = ({ comments }: Database) => comments.find({}, { projection: RESTORED, sort: { _id: 1 } }).toArray()

const storedAct = async ({ staffActions }: Database, id: string) => staffActions.findOne({ _id: new ObjectId(id) })

it('an act hides each comment once, and its undoing shows each once, after kills at every step', async () => {
  const { service, other: next } = await useTwins({ env }, { env })
  const { db } = service
  const [admin, spammer, other] = [
    await service.caller({ isAdmin: true }),
    await service.caller(),
    await service.caller(),
  ]
  const [userId, otherId, gameId] = [new ObjectId(spammer.id), new ObjectId(other.id), await insertGame(db)]
  const createdAt = new Date(Date.now() - 60_000)
  const thread = await insertComment(db, { gameId, userId: otherId, repliesCount: 10, createdAt })
  const reply = { gameId, userId, parentId: thread, replyToId: thread, createdAt }
  const ids: ObjectId[] = []
  for (let n = 0; n < 10; n++) ids.push(await insertComment(db, reply))
  const hiddenBefore = await insertComment(db, { gameId, userId, createdAt, status: 'hidden' })
  for (const _id of ids) await other.post(`/comments/${_id}/report`)
  const before = await readComments(db)
  const marks = () =>
    db.comments.find({ _id: { $in: ids } }, { projection: { status: 1, rev: 1, reportsCount: 1 } }).toArray()

  async function carryOutKilled(
    by: TestService,
    expected: { status: 'hidden' | 'visible'; rev: number; isShown: boolean },
  ) {
    await db.staffActions.updateMany({ isPending: true }, { $set: { at: new Date(Date.now() - 30_000) } })
    const steps = STEPS.filter((step) => step !== (expected.isShown ? 'reports:resolved' : 'reports:reopened'))
    for (const [after, step] of steps.entries()) {
      const kill = { verb: 'run-acts', id: '', step, after: step.startsWith('act') ? 0 : after }
      await runChangesUntilKilled({ MONGODB_URI: service.mongodbUri, ...env }, [kill])
      await endLeases(db.leases)
    }
    by.deps.commentActs.start()
    await untilCarriedOut(db)
    await by.deps.commentActs.stop()
    expect(new Set((await marks()).map(({ status, rev, reportsCount }) => `${status} ${rev} ${reportsCount}`))).toEqual(
      new Set([`${expected.status} ${expected.rev} ${Number(expected.isShown)}`]),
    )
    const notified = await db.notifications.find({ userId, type: 'comment-moderated' }).toArray()
    expect(notified).toMatchObject([{ count: 10, rev: expected.rev, facts: { status: expected.status } }])
    await expectRecount(db)
  }

  const { actId } = (await admin.post(`/users/${spammer.id}/hide-comments`, { body: {} })).body
  await carryOutKilled(service, { status: 'hidden', rev: 1, isShown: false })
  expect(await storedAct(db, actId)).toMatchObject({ action: 'comments-hidden', details: { count: 10 } })
  const outcomes = () => db.reports.distinct('outcome')
  expect(await outcomes()).toEqual(['acted-on'])

  expect((await admin.delete(`/users/${spammer.id}/hide-comments/${actId}`)).body).toEqual({ actId })
  await carryOutKilled(next, { status: 'visible', rev: 2, isShown: true })
  expect(await readComments(db)).toEqual(before)
  expect(await outcomes()).toEqual([null])
  expect(await db.notifications.countDocuments({ userId: otherId, type: 'report-decided' })).toBe(0)
  expect(await db.comments.findOne({ _id: hiddenBefore })).toMatchObject({ status: 'hidden' })
})

it('20 acts hide 600 comments in every tab within 10 seconds, and their undoing restores everything', async () => {
  const twins = await useTwins({ env }, { env })
  const { service, other, admin, author, gameId } = twins
  const { db } = service
  const threads = await Promise.all(Array.from({ length: 6 }, () => twins.insert()))
  const spammers = await Promise.all(Array.from({ length: 20 }, () => service.caller()))
  const post = (user: Caller, n: number) =>
    (n % 2 ? user : twins.atOther(user)).post('/comments', {
      body: { gameId, body: `Links of ${user.id}`, ...(n % 3 && { parentId: threads[n % threads.length] }) },
    })
  const postedAt = performance.now()
  for (let n = 0; n < 30; n++) await Promise.all(spammers.map((user) => post(user, n)))
  const postingMs = performance.now() - postedAt
  const answered = String((await db.comments.findOne({ userId: new ObjectId(spammers[0]?.id), parentId: null }))?._id)
  await author.post('/comments', { body: { gameId, parentId: answered, body: 'An answer that stays' } })
  await author.post(`/comments/${answered}/report`)
  await twins.caughtUp()
  const before = await readComments(db)
  const readers = await twins.watchBoth(gameId)
  for (const { deps } of [service, other]) deps.commentActs.start()
  const beganAt = performance.now()
  const acts = await Promise.all(
    spammers.map(async ({ id }, n) => {
      const by = n % 2 ? admin : twins.atOther(admin)
      return { id, actId: (await by.post(`/users/${id}/hide-comments`)).body.actId as string }
    }),
  )
  const wave = new Set(before.filter(({ body }) => body.startsWith('Links')).map(({ _id }) => String(_id)))
  expect(wave.size).toBe(600)
  const isClean = async (reader: Reader) => {
    const hidden = (await reader.seen()).filter(({ payload }) => payload.status === 'hidden')
    return new Set(hidden.map(({ payload }) => payload.commentId)).size === wave.size
  }
  for (const reader of readers) while (!(await isClean(reader))) await sleep(50)
  // A busy machine also took longer to post them.
  expect(performance.now() - beganAt).toBeLessThan(Math.max(CLEAN_WITHIN_MS, 3 * postingMs))

  // Decisions of an admin meanwhile stay.
  const [shown = '', deleted = '', hiddenAgain = ''] = wave
  await admin.patch(`/comments/${shown}/status`, { body: { status: 'visible' } })
  await admin.delete(`/comments/${deleted}`)
  await twins.atOther(admin).patch(`/comments/${hiddenAgain}/status`, { body: { status: 'hidden' } })
  await untilCarriedOut(db)
  const counts = await Promise.all(acts.map(async ({ actId }) => Number((await storedAct(db, actId))?.details?.count)))
  // On a busy machine an act may have ended before.
  expect([597, 598, 599, 600]).toContain(counts.reduce((sum, count) => sum + count))
  expect(await db.comments.distinct('status', { body: /^Links/, _id: { $ne: new ObjectId(shown) } })).toEqual([
    'hidden',
  ])
  for (const { id } of acts)
    expect(
      await db.notifications.countDocuments({ userId: new ObjectId(id), 'facts.status': 'hidden', count: { $gt: 20 } }),
    ).toBe(1)
  await expectRecount(db)
  await twins.caughtUp()
  for (const reader of readers) {
    const last = new Map((await reader.seen()).map(({ payload }) => [payload.commentId, payload.status]))
    expect([...wave].filter((id) => last.get(id) === 'visible')).toEqual([shown])
  }

  const undone = acts.map(({ id, actId }, n) =>
    (n % 2 ? admin : twins.atOther(admin)).delete(`/users/${id}/hide-comments/${actId}`),
  )
  expect((await Promise.all(undone)).map(({ status }) => status)).toEqual(acts.map(() => 200))
  await untilCarriedOut(db)
  const isKept = ({ _id }: { _id: ObjectId }) => ![deleted, hiddenAgain].includes(String(_id))
  const ofThreads = new Set(threads.map(String))
  const rows = (all: typeof before) => all.filter(isKept).filter(({ _id }) => !ofThreads.has(String(_id)))
  expect(rows(await readComments(db))).toEqual(rows(before))
  expect(await db.comments.findOne({ _id: new ObjectId(hiddenAgain) })).toMatchObject({ status: 'hidden' })
  await expectRecount(db)
})
