import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { watchConflicts } from '../support/clients/watch-conflicts.ts'
import { runChangesUntilKilled } from '../support/processes/spawn-change.ts'
import { insertConflict, insertGame, insertReport, insertRequest } from '../support/rows/rows.ts'
import { useTwins } from '../support/scenes/twin-scene.ts'

const WAIT = { timeout: 60_000, interval: 100 }

const scene = await useTwins()
const { service, other, author, reader, admin } = scene
const { comments, conflicts, contentRequests, notifications, reports, staffActions } = service.db

interface Case {
  verb: string
  step: string
  /** True when the change is committed at that step. */
  isDone: boolean
}

const casesOf = ([verb, { steps, done }]: [string, { steps: string[]; done?: string }]): Case[] => [
  ...steps.map((step) => ({ verb, step, isDone: false })),
  ...(done === undefined ? [] : [{ verb, step: done, isDone: true }]),
]

const COMMENT = { event: 'comment:status', done: 'comment:written' }
const STATUS_STEPS = ['comment:counted', 'comment:status-set', 'comment:action-recorded']
const STATUS = { ...COMMENT, steps: [...STATUS_STEPS, 'reports:resolved', 'reports:notified'] }
const REPORT_STEPS = ['report:stored', 'report:counted', ...STATUS_STEPS]
const REPLY_STEPS = ['comment:counted', 'comment:notified', 'comment:inserted']
const COMMENT_CHANGES: Record<string, typeof STATUS & { payload: object; after?: string }> = {
  like: { ...COMMENT, steps: [], event: 'comment:likes', payload: { likesCount: 1 } },
  edit: { ...COMMENT, steps: [], event: 'comment:updated', payload: { body: 'edited', isSpoiler: false } },
  reply: { ...COMMENT, steps: REPLY_STEPS, event: 'comment:created', payload: { parentRepliesCount: 2 } },
  // One report suffices in the process that is killed.
  report: { ...COMMENT, steps: REPORT_STEPS, after: 'hidden', payload: { status: 'hidden', parentRepliesCount: 0 } },
  hide: { ...STATUS, after: 'hidden', payload: { status: 'hidden', parentRepliesCount: 0 } },
  show: { ...STATUS, after: 'visible', payload: { status: 'visible', parentRepliesCount: 1 } },
  delete: { ...STATUS, after: 'deleted', payload: { status: 'deleted', parentRepliesCount: 0 } },
}

const OUTCOMES: Record<string, 'acted-on' | 'kept'> = { hide: 'acted-on', show: 'kept', delete: 'acted-on' }

/** Expects the stored reports of a comment to have these outcomes, and its counts to equal a recount. */
async function expectReports(commentId: ObjectId, outcomes: readonly (string | null)[]) {
  const stored = await reports.find({ commentId }).toArray()
  expect(stored.map(({ outcome }) => outcome)).toEqual(outcomes)
  const open = outcomes.filter((outcome) => outcome === null).length
  const { reportsCount, reportedBy = [], decidedReportsCount = 0 } = { ...(await comments.findOne({ _id: commentId })) }
  expect([reportsCount, reportedBy.length, decidedReportsCount]).toEqual([open, open, outcomes.length - open])
}

/** Gives a comment two open reports. @returns a check that all of them have their outcome and notification, or none has */
async function prepareReports(commentId: ObjectId, outcome: 'acted-on' | 'kept') {
  const reportedBy = [new ObjectId((await service.caller()).id), new ObjectId((await service.caller()).id)]
  await comments.updateOne({ _id: commentId }, { $set: { reportsCount: 2, reportedBy } })
  const facts = { commentId, gameId: new ObjectId(), authorId: new ObjectId(author.id) }
  for (const reporterId of reportedBy) await insertReport(service.db, { ...facts, reporterId })

  return async ({ isDone }: { isDone: boolean }) => {
    await expectReports(commentId, Array(2).fill(isDone ? outcome : null))
    const stored = await notifications.find({ userId: { $in: reportedBy } }).toArray()
    expect(stored).toMatchObject(isDone ? Array(2).fill({ type: 'report-decided', count: 1, facts: { outcome } }) : [])
  }
}

async function prepareComment({ verb, step, isDone }: Case) {
  const { event, payload, after } = { after: undefined, ...COMMENT_CHANGES[verb] }
  const before = verb === 'show' ? 'hidden' : 'visible'
  const gameId = String(await insertGame(service.db))
  const about = { gameId: new ObjectId(gameId) }
  const threadId = await scene.insert({ ...about, repliesCount: verb === 'show' ? 0 : 1 })
  const replyId = await scene.insert({ ...about, parentId: threadId, replyToId: threadId, status: before })
  const checkReports = OUTCOMES[verb] === undefined ? undefined : await prepareReports(replyId, OUTCOMES[verb])
  const readers = await scene.watchBoth(gameId)
  const id = String(verb === 'reply' ? threadId : replyId)

  async function check() {
    const body = { gameId, parentId: String(threadId), body: 'a later reply' }
    const answer = () => reader.post('/comments', { body })
    let later = await answer()
    // The documents are locked until the database gives the transaction up.
    while (later.status === 503) later = await answer()
    expect(later.status).toBe(201)
    await scene.caughtUp()

    const replies = await comments.find({ parentId: threadId }).toArray()
    expect(replies).toHaveLength(verb === 'reply' && isDone ? 3 : 2)
    expect(replies.find(({ _id }) => _id.equals(replyId))?.status).toBe((isDone && after) || before)
    const visible = replies.filter(({ status }) => status === 'visible')
    expect(await comments.findOne({ _id: threadId })).toMatchObject({ repliesCount: visible.length })
    if (verb === 'report') await expectReports(replyId, isDone ? [null] : [])
    await checkReports?.({ isDone })
    const actions = await staffActions.countDocuments({ 'target.id': String(replyId) })
    expect(actions).toBe(Number(isDone && after !== undefined))
    for (const each of readers) {
      const seen = (await each.seen()).filter(({ payload: { commentId } }) => commentId !== later.body._id)
      expect(seen).toMatchObject(isDone ? [{ event, payload: { gameId, ...payload } }] : [])
      each.close()
    }
  }
  return { change: { verb, step, id, gameId, userId: ({ edit: author, report: reader }[verb] ?? admin).id }, check }
}

const DECISION = { action: 'conflict-decided', steps: ['conflict:decided', 'conflict:recorded'] }
const REOPENING = { action: 'conflict-reopened', steps: ['conflict:reopened', 'conflict:recorded'] }
const CONFLICT_CHANGES: Record<string, { action: string; path: string; steps: string[]; done?: string }> = {
  decide: { ...DECISION, path: 'decision', done: 'conflict:written' },
  reopen: { ...REOPENING, path: 'reopen', done: 'conflict:written' },
  // No event announces a candidate.
  add: { action: 'candidate-added', path: 'candidates', steps: ['conflict:candidate-added'] },
}

const tabs = await Promise.all([watchConflicts(service, admin), watchConflicts(other, scene.atOther(admin))])

async function prepareConflict({ verb, step, isDone }: Case) {
  const { action, path } = { action: '', path: '', ...CONFLICT_CHANGES[verb] }
  const gameId = await insertGame(service.db)
  const { _id, externalId } = await insertConflict(service.db, {
    source: 'vndb',
    candidates: verb === 'add' ? [] : [{ gameId, slug: 'one', name: 'One', score: 50 }],
    ...(verb === 'reopen' && { status: 'absent', decision: 'skip' }),
  })
  const before = await conflicts.findOne({ _id })
  const findActions = () => staffActions.find({ 'target.id': `vndb/${externalId}` }).toArray()
  const countTold = () =>
    Promise.all(
      tabs.map(async (tab) => {
        const seen = await tab.seen()
        return seen.filter(({ event, payload }) => event === 'conflict:decided' && isAbout(payload, externalId)).length
      }),
    )

  async function check() {
    if (isDone) await expect.poll(countTold, WAIT).toEqual([1, 1])
    else {
      expect(await conflicts.findOne({ _id })).toEqual(before)
      expect(await findActions()).toEqual([])
      const body = { gameId: String(gameId) }
      const repeat = async () => (await admin.post(`/conflicts/vndb/${externalId}/${path}`, { body })).status
      await expect.poll(repeat, WAIT).toBe(200)
    }
    expect(await findActions()).toMatchObject([{ action }])
    await scene.caughtUp()
    expect(await countTold()).toEqual(verb === 'add' ? [0, 0] : [1, 1])
  }
  return { change: { verb, step, id: externalId, gameId: String(gameId), userId: admin.id }, check }
}

// The shape of the event in the namespace's contract.
const isAbout = (payload: unknown, externalId: string) => (payload as { externalId?: string }).externalId === externalId

async function prepareRejection() {
  const { _id } = await insertRequest(service.db, { slot: 3 })
  const before = await contentRequests.findOne({ _id })
  const countActions = () => staffActions.countDocuments({ 'target.id': String(_id) })

  async function check() {
    expect(await contentRequests.findOne({ _id })).toEqual(before)
    expect(await countActions()).toBe(0)
    const body = { decision: 'reject', reason: 'No' }
    const repeat = async () => (await admin.post(`/requests/${_id}/decision`, { body })).status
    await expect.poll(repeat, WAIT).toBe(200)
    expect(await contentRequests.findOne({ _id })).toMatchObject({ status: 'rejected', reason: 'No' })
    expect(await countActions()).toBe(1)
  }
  return { change: { verb: 'reject', step: 'rejection:written', id: String(_id), userId: admin.id }, check }
}

const doomed = [
  ...(await Promise.all(Object.entries(COMMENT_CHANGES).flatMap(casesOf).map(prepareComment))),
  ...(await Promise.all(Object.entries(CONFLICT_CHANGES).flatMap(casesOf).map(prepareConflict))),
  await prepareRejection(),
]
await scene.caughtUp()
await runChangesUntilKilled(
  { MONGODB_URI: service.mongodbUri, REPORTS_HIDE_AFTER: '1' },
  doomed.map(({ change }) => change),
)

it.each(doomed)(
  'a process that is killed at $change.step of "$change.verb" leaves no half change, no repeated event and no missing one',
  ({ check }) => check(),
)
