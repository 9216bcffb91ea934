import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { expect, it, vi } from 'vitest'
import { REQUEST_TIMEOUT_MS } from '#lib/infrastructure/concurrency/timeouts'
import { watchConflicts } from '../support/clients/watch-conflicts.ts'
import { useDatabaseProxy } from '../support/processes/database-proxy.ts'
import { insertConflict } from '../support/rows/rows.ts'
import { useTwins } from '../support/scenes/twin-scene.ts'
import { createGate } from '../support/tools/gate.ts'

const WAIT = { timeout: 30_000, interval: 20 }

let whenWritten = async () => {}
const failpoint = async (step: string) => {
  if (step === 'conflict:written') await whenWritten()
}
// The writer polls so rarely that only the other instance can wake it.
const scene = await useTwins(
  { failpoint, batchLimits: { pollMs: 600_000 } },
  { isWriting: true, batchLimits: { pollMs: 600_000 } },
)

/** An admin's socket at each instance. */
const openTabs = async ({ service, other, admin } = scene) => [
  await watchConflicts(service, admin),
  await watchConflicts(other, admin),
]

it('a decision and its batch reach the admins of both instances, and wake the writer of the other', async () => {
  const { service, admin } = scene
  const tabs = await openTabs()
  const { externalId } = await insertConflict(service.db, { source: 'igdb' })
  const decided = await admin.post(`/conflicts/igdb/${externalId}/decision`, { body: { gameId: null } })
  expect(decided.status).toBe(200)

  const payload = { source: 'igdb', externalId, state: 'queued-new', decidedBy: admin.user?.userName }
  const expected = [
    { event: 'conflict:decided', payload },
    { event: 'conflicts:applied', payload: { source: 'igdb', externalIds: [externalId] } },
  ]
  for (const tab of tabs) {
    await vi.waitUntil(async () => (await tab.seen()).length === 2, { timeout: 30_000, interval: 50 })
    expect(await tab.seen()).toEqual(expected)
  }
})

it('a decision that is announced late does not come after the reopening by another instance', async () => {
  const { service, admin } = scene
  const { externalId } = await insertConflict(service.db, { source: 'vndb' })
  const tabs = await openTabs()
  const [written, announcing] = [createGate(), createGate()]
  whenWritten = async () => {
    written.open()
    await announcing.opened
  }
  const deciding = admin.post(`/conflicts/vndb/${externalId}/decision`, { body: { gameId: null } })
  await written.opened
  whenWritten = async () => {}
  // The writer leaves a record so, but this one has no batch.
  await service.db.conflicts.updateOne({ source: 'vndb', externalId }, { $set: { status: 'absent' } })
  const reopened = await scene.atOther(admin).post(`/conflicts/vndb/${externalId}/reopen`)
  expect(reopened.status).toBe(200)
  await scene.caughtUp()
  announcing.open()
  expect((await deciding).status).toBe(200)
  await scene.caughtUp()
  for (const tab of tabs) {
    const seen = (await tab.seen()).filter(({ event }) => event === 'conflict:decided')
    const decidedBy = admin.user?.userName
    expect(seen.at(-1)?.payload).toMatchObject({ externalId, state: 'waiting', decidedBy })
  }
})

it('a conflict that its parser stored anew is sent again, with a new count of changes', async () => {
  const { service, admin } = scene
  const { sentBy: _sentBy, rev: _rev, ...fresh } = await insertConflict(service.db, { source: 'vndb' })
  const { externalId } = fresh
  const tabs = await openTabs()
  const count = async (text: string) => {
    const seen = await Promise.all(tabs.map((tab) => tab.seen()))
    return seen.map((events) => events.filter((event) => JSON.stringify(event).includes(text)).length)
  }
  let decisions = 0
  const decide = async (at: typeof admin) => {
    const answer = await at.post(`/conflicts/vndb/${externalId}/decision`, { body: { gameId: null } })
    expect(answer.status).toBe(200)
    decisions += 1
    // The writer sends it after its batch.
    await expect.poll(() => count('conflicts:applied')).toEqual([decisions, decisions])
    await scene.caughtUp()
  }
  await decide(admin)
  for (const at of [admin, scene.atOther(admin)]) {
    await service.db.conflicts.replaceOne({ _id: fresh._id }, fresh)
    await scene.caughtUp()
    await decide(at)
  }
  expect(await count('queued-new')).toEqual([3, 3])
})

it('a decision that another program writes is sent once at both instances, and applied', async () => {
  const { service } = scene
  const tabs = await openTabs()
  const { _id, externalId } = await insertConflict(service.db, { source: 'ra' })
  const decidedBy = { userId: new ObjectId(), userName: 'parser' }
  await service.db.conflicts.updateOne({ _id }, { $set: { decision: 'skip', decidedBy } })

  const expected = [
    { event: 'conflict:decided', payload: { source: 'ra', externalId, state: 'queued-new', decidedBy: 'parser' } },
    { event: 'conflicts:applied', payload: { source: 'ra', externalIds: [externalId] } },
  ]
  for (const tab of tabs) {
    await vi.waitUntil(async () => (await tab.seen()).length >= 2, WAIT)
    await scene.caughtUp()
    expect(await tab.seen()).toEqual(expected)
  }
})

it('200 for one of two decisions at two instances, with its event and staff action', async () => {
  const { service, admin } = scene
  const tabs = await openTabs()
  // A skip of this source is closed at once, and never sent back to be decided again.
  const records = await Promise.all(Array.from({ length: 10 }, () => insertConflict(service.db, { source: 'ra' })))
  for (const { externalId } of records) {
    const path = `/conflicts/ra/${externalId}/decision`
    const answers = await Promise.all(
      [admin, scene.atOther(admin)].map((at) => at.post(path, { body: { gameId: null } })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect(await service.db.staffActions.countDocuments({ 'target.id': `ra/${externalId}` })).toBe(1)
  }
  await scene.caughtUp()
  for (const tab of tabs) {
    const seen = await tab.seen()
    for (const { externalId } of records) {
      const [first, ...others] = seen.filter(({ payload }) => JSON.stringify(payload).includes(`"${externalId}"`))
      // A decision that is applied before the other instance reads it is sent there as applied alone.
      expect(['conflict:decided', 'conflicts:applied']).toContain(first?.event)
      expect(others.map(({ event }) => event)).not.toContain('conflict:decided')
    }
  }
})

const proxy = await useDatabaseProxy()
const twins = await useTwins({ mongodbUri: proxy.uri, feedUri: proxy.target }, { mongodbUri: proxy.target })

it.each([
  {
    title: 'one that was not stored is sent to nobody',
    cut: () => proxy.cutBeforeCommand('winnerEntryId'),
    states: [],
  },
  {
    title: 'one that was stored is sent to all once',
    cut: () => proxy.cutAfterCommand('commitTransaction'),
    states: ['queued-new'],
  },
])(
  'a decision without an answer: $title',
  async ({ cut, states }) => {
    const { service, admin } = twins
    const { externalId } = await insertConflict(service.db, { source: 'vndb' })
    const tabs = await openTabs(twins)
    cut()
    expect((await admin.post(`/conflicts/vndb/${externalId}/decision`, { body: { gameId: null } })).status).toBe(503)
    // The transaction may be repeated until its own time limit, which ends after that of the request.
    if (states.length === 0) await sleep(REQUEST_TIMEOUT_MS)
    proxy.restore()
    const seenBy = async (tab: (typeof tabs)[number]) =>
      (await tab.seen()).filter(({ event }) => event === 'conflict:decided')
    await vi.waitUntil(
      async () => (await Promise.all(tabs.map(seenBy))).every((seen) => seen.length > 0) || states.length === 0,
      WAIT,
    )
    await twins.caughtUp()
    for (const tab of tabs) {
      const seen = await seenBy(tab)
      expect(await service.db.staffActions.countDocuments({ 'target.id': `vndb/${externalId}` })).toBe(states.length)
      expect(seen.map(({ payload }) => payload)).toEqual(states.map((state) => expect.objectContaining({ state })))
    }
  },
  60_000,
)
