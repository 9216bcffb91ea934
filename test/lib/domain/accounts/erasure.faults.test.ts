import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { closeAccount } from '#lib/domain/accounts/close-account'
import type { Caller } from '../../../support/clients/caller.ts'
import { runChangesUntilKilled } from '../../../support/processes/spawn-change.ts'
import { insertGame, newComment } from '../../../support/rows/rows.ts'
import { expectRecount, fillAccount, listLeft, textOf, untilErased } from '../../../support/scenes/account-scene.ts'
import { createStrikes } from '../../../support/scenes/strikes.ts'
import { useTwins } from '../../../support/scenes/twin-scene.ts'
import { type TestService, useService } from '../../../support/service/start-service.ts'
import { randomFrom } from '../../../support/tools/random.ts'

const WITHIN_MS = 20_000
/** The pause between two requests of a client, so that six clients do not occupy the machine. */
const PAUSE_MS = 25
const UNLIMITED = { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000' }
const STEPS = [
  'erasure:begun',
  'comment:counted',
  'comment:status-set',
  'comment:written',
  'erasure:comments',
  'erasure:votes',
  'erasure:requests',
  'erasure:notifications',
  'erasure:names',
]

/** Closes an account as its endpoint does, without the wait. */
const close = ({ deps }: TestService, { id }: Caller) =>
  closeAccount(deps, { filter: { _id: new ObjectId(id) }, isRecorded: true })

async function startErasure({ deps }: TestService): Promise<void> {
  deps.accountErasure.start()
  deps.accountErasure.wake()
}

it('an erasure removes everything of an account, and keeps what belongs to others', async () => {
  const service = await useService()
  const [user, reader] = [await service.caller(), await service.caller()]
  const gameId = await insertGame(service.db)
  const filled = await fillAccount(service, user, { gameId, reader })
  await close(service, user)
  await startErasure(service)
  await untilErased(service.db, [user])

  expect(await listLeft(service.db, user)).toEqual([])
  await expectRecount(service.db)
  const { results } = (await reader.get(`/games/${gameId}/comments`)).body
  const thread = results.find(({ _id }: { _id: string }) => _id === String(filled.thread))
  expect(thread).toMatchObject({ status: 'deleted', body: '', author: null, repliesCount: 1 })
  const { db } = service
  const pending = await db.contentRequests.findOne({ _id: filled.pending._id })
  expect(pending).toMatchObject({ status: 'withdrawn', userId: null })
  expect(pending).not.toHaveProperty('note')
  const decided = { status: 'approved', note: 'a note that stays', userId: null }
  expect(await db.contentRequests.findOne({ _id: filled.decided._id })).toMatchObject(decided)
  expect(await db.staffActions.distinct('admin.userName')).toEqual(['deleted user'])
  expect(await db.conflicts.distinct('decidedBy.userName')).toEqual(['deleted user'])
  expect(await db.notifications.find({ userId: new ObjectId(reader.id), isRead: true }).toArray()).toEqual([
    expect.objectContaining({ actors: [expect.objectContaining({ userName: 'x' })] }),
  ])
  expect((await service.guest.get(`/files/${filled.avatar}`)).status).toBe(404)
  const closed = { _id: new ObjectId(user.id) }
  const record = await db.deletedUsers.findOne(closed)
  expect(Number(record?.erasedAt) - Number(record?.at)).toBeLessThan(WITHIN_MS)

  // An upload that had begun before may end late, so its object is deleted once more.
  await service.deps.storage.put(filled.avatar, { bytes: Buffer.from('late'), type: 'image/png' })
  await db.deletedUsers.updateOne(closed, { $set: { at: new Date(Date.now() - 61_000) } })
  service.deps.accountErasure.wake()
  while ((await db.deletedUsers.countDocuments({ isPending: true })) > 0) await sleep(50)
  expect(await db.deletedUsers.findOne(closed)).toMatchObject({ images: [] })
  expect((await service.guest.get(`/files/${filled.avatar}`)).status).toBe(404)
})

it('the next start completes an erasure that was killed at any step, within 20 seconds', async () => {
  const service = await useService()
  const gameId = await insertGame(service.db)
  const reader = await service.caller()
  const users: Caller[] = []
  for (const _ of STEPS) {
    const user = await service.caller()
    await fillAccount(service, user, { gameId: await insertGame(service.db), reader })
    await close(service, user)
    users.push(user)
  }
  const kills = STEPS.map((step, index) => ({ verb: 'erase', id: users[index]?.id ?? '', step }))
  await runChangesUntilKilled({ MONGODB_URI: service.mongodbUri }, kills)
  // The lease of a job that was killed stays for a while.
  const last = await service.caller()
  await fillAccount(service, last, { gameId, reader })
  await close(service, last)
  const job = { verb: 'run-erasure', id: last.id, step: 'erasure:images' }
  await runChangesUntilKilled({ MONGODB_URI: service.mongodbUri }, [job])

  const startedAt = performance.now()
  await startErasure(service)
  const all = [...users, last]
  await untilErased(service.db, all)
  expect(performance.now() - startedAt).toBeLessThan(WITHIN_MS)
  for (const user of all) expect(await listLeft(service.db, user)).toEqual([])
  await expectRecount(service.db)
})

it('a stop leaves the rest of a large account to the next start', async () => {
  const service = await useService()
  const { db, deps } = service
  const user = await service.caller()
  const [userId, gameId] = [new ObjectId(user.id), await insertGame(db)]
  await db.comments.insertMany(Array.from({ length: 2_000 }, () => newComment({ gameId, userId })))
  await close(service, user)
  const left = () => db.comments.countDocuments({ userId, status: 'visible' })
  await startErasure(service)
  while ((await left()) === 2_000) await sleep(20)
  await deps.accountErasure.stop()
  expect(await left()).toBeGreaterThan(0)
  expect(await db.deletedUsers.findOne({ _id: userId })).toMatchObject({ isPending: true })
})

it.each([1, 2, 3])(
  'an erasure leaves nothing while comments are answered, liked and reported at two instances, seed %i',
  async (seed) => {
    const next = randomFrom(seed)
    const below = (bound: number) => Math.floor(next() * bound)
    const strikes = createStrikes()
    const options = { env: UNLIMITED, failpoint: strikes.failpoint }
    const twins = await useTwins(options, options)
    const { service, other, reader, admin, gameId } = twins
    const users = await Promise.all(Array.from({ length: 4 }, () => service.caller()))
    const filled = await Promise.all(users.map((user) => fillAccount(service, user, { gameId, reader })))
    const readers = await twins.watchBoth(gameId)
    for (const { deps } of [service, other]) deps.accountErasure.start()
    for (const step of STEPS) {
      strikes.strikeAt(step, () => Promise.reject(new Error('struck')), { after: below(3) })
    }

    const pick = <T>(list: readonly T[]) => list[below(list.length)] as T
    const at = (caller: Caller) => (below(2) === 0 ? caller : twins.atOther(caller))
    let isOver = false
    async function act(): Promise<void> {
      const index = below(users.length)
      const [user, rows] = [users[index], filled[index]]
      if (user === undefined || rows === undefined) return
      const written = pick([rows.thread, rows.reply])
      const [me, stranger] = [at(user), at(reader)]
      const send = pick([
        () => stranger.post('/comments', { body: { gameId, parentId: written, body: 'An answer' } }),
        () => stranger.put(`/comments/${written}/like`),
        () => stranger.post(`/comments/${written}/report`),
        () => at(admin).patch(`/comments/${written}/status`, { body: { status: pick(['hidden', 'visible']) } }),
        () => at(admin).post(`/requests/${rows.pending._id}/decision`, { body: { decision: 'approve', force: true } }),
        () => me.post('/comments', { body: { gameId, parentId: rows.theirs, body: textOf(user) } }),
        () => me.patch(`/comments/${written}`, { body: { body: `${textOf(user)} ${below(99)}` } }),
        () => me.put(`/comments/${rows.theirs}/like`),
        () => me.post(`/comments/${rows.theirs}/report`),
        () => me.post('/requests', { body: { kind: 'game', action: 'add', payload: { name: randomUUID() } } }),
        () => me.put(`/user/presets/${user.id}`, { body: { name: 'a', preset: textOf(user) } }),
      ])
      await send()
    }
    const crowd = Promise.all(
      Array.from({ length: 6 }, async () => {
        while (!isOver) {
          await act()
          await sleep(PAUSE_MS)
        }
      }),
    )
    await sleep(300)
    await Promise.all(users.map((user) => close(below(2) === 0 ? service : other, user)))
    await sleep(4_000)
    isOver = true
    await crowd
    await untilErased(service.db, users)

    await twins.caughtUp()
    const before = await Promise.all(readers.map(async (tab) => (await tab.seen()).length))
    for (const user of users) expect(await listLeft(service.db, user)).toEqual([])
    await expectRecount(service.db)
    // No later event of their threads contains their texts.
    await Promise.all(filled.map(({ answer }) => reader.patch(`/comments/${answer}`, { body: { body: 'Another' } })))
    await twins.caughtUp()
    for (const [index, tab] of readers.entries()) {
      expect(JSON.stringify((await tab.seen()).slice(before[index]))).not.toContain('words-of-')
    }
  },
)
