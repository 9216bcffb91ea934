import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { UNCOUNTED_AFTER_MS } from '../../lib/concurrency/timeouts.ts'
import { type Reader, watchDiscussion } from '../support/clients/watch-discussion.ts'
import { type DatabaseProxy, startDatabaseProxy } from '../support/processes/database-proxy.ts'
import { changeAndDie } from '../support/processes/spawn-change.ts'
import { insertGame } from '../support/rows/rows.ts'
import { expectFinalState } from '../support/scenes/final-state.ts'
import { startTwins, type TwinScene } from '../support/scenes/twin-scene.ts'
import { randomFrom } from '../support/tools/random.ts'

const WAIT = { timeout: 30_000, interval: 20 }

interface Thread {
  gameId: ObjectId
  threadId: ObjectId
  readers: [Reader, Reader]
}

/** A thread of a game of its own, and a reader of it at each instance. */
async function openThread(scene: TwinScene): Promise<Thread> {
  const gameId = await insertGame(scene.service.db)
  const threadId = await scene.insert({ gameId })
  const readers: Thread['readers'] = [
    await watchDiscussion(scene.service.baseUrl, gameId),
    await watchDiscussion(scene.other.baseUrl, gameId),
  ]
  return { gameId, threadId, readers }
}

const post = ({ reader }: TwinScene, { gameId, threadId }: Thread, body = 'a reply') =>
  reader.post('/comments', { body: { gameId, parentId: threadId, body } })

const readAtBoth = ({ service, other }: TwinScene, { threadId }: Thread) =>
  Promise.all([service, other].map(({ guest }) => guest.get(`/comments/${threadId}/replies`)))

/** The events about some reply that each reader has seen, once both instances have heard of everything. */
async function seenByBoth(scene: TwinScene, { readers }: Thread, commentId: unknown) {
  await scene.caughtUp()
  const about = async (reader: Reader) =>
    (await reader.seen()).filter(({ payload }) => payload.commentId === String(commentId))
  return await Promise.all(readers.map(about))
}

const repliesCount = async ({ service }: TwinScene, { threadId }: Thread) =>
  (await service.db.comments.findOne({ _id: threadId }))?.repliesCount

describe('a process that was killed between a reply and the count of its thread', () => {
  let scene: TwinScene
  beforeAll(async () => {
    scene = await startTwins()
  })
  afterAll(() => scene.close())

  const die = (thread: Thread, verb: string, commentId: ObjectId) =>
    changeAndDie(scene.service, {
      verb,
      commentId,
      gameId: thread.gameId,
      userId: scene.admin.id,
      step: 'comment:count',
    })

  it('a reply: the next read counts it and tells both instances once, whoever has counted others meanwhile', async () => {
    const thread = await openThread(scene)
    await die(thread, 'reply', thread.threadId)
    const lost = await scene.service.db.comments.findOne({ parentId: thread.threadId })
    const later = await post(scene, thread)
    for (let round = 0; round < 2; round++) await readAtBoth(scene, thread)
    const event = {
      event: 'comment:created',
      payload: {
        gameId: String(thread.gameId),
        commentId: String(lost?._id),
        parentId: String(thread.threadId),
        // The other reply may have been counted before or after.
        parentRepliesCount: expect.any(Number),
      },
    }
    expect(await seenByBoth(scene, thread, lost?._id)).toEqual([[event], [event]])
    for (const seen of await seenByBoth(scene, thread, later.body._id)) expect(seen).toHaveLength(1)
    expect(await repliesCount(scene, thread)).toBe(2)
    for (const reader of thread.readers) reader.close()
  })

  it('a reply that nobody reads: the others count it by themselves and tell both instances once', async () => {
    const thread = await openThread(scene)
    await die(thread, 'reply', thread.threadId)
    await vi.waitUntil(async () => (await thread.readers[1].seen()).length > 0, WAIT)
    await readAtBoth(scene, thread)
    const lost = await scene.service.db.comments.findOne({ parentId: thread.threadId })
    for (const seen of await seenByBoth(scene, thread, lost?._id)) {
      expect(seen).toMatchObject([{ event: 'comment:created', payload: { parentRepliesCount: 1 } }])
    }
    expect(await repliesCount(scene, thread)).toBe(1)
    for (const reader of thread.readers) reader.close()
  })

  it.each([
    { verb: 'hide', status: 'hidden', from: 'visible', count: 0 },
    { verb: 'delete', status: 'deleted', from: 'visible', count: 0 },
    { verb: 'show', status: 'visible', from: 'hidden', count: 1 },
  ] as const)(
    '$verb: the next read counts it and tells both instances once',
    async ({ verb, status, from, count }) => {
      const thread = await openThread(scene)
      const { body: reply } = await post(scene, thread)
      if (from === 'hidden') await scene.admin.patch(`/comments/${reply._id}/status`, { body: { status: from } })
      const before = await seenByBoth(scene, thread, reply._id)
      await die(thread, verb, new ObjectId(String(reply._id)))
      for (let round = 0; round < 2; round++) await readAtBoth(scene, thread)
      const payload = { status, parentId: String(thread.threadId), parentRepliesCount: count }
      for (const [index, seen] of (await seenByBoth(scene, thread, reply._id)).entries()) {
        expect(seen.slice(before[index]?.length)).toMatchObject([{ event: 'comment:status', payload }])
      }
      expect(await repliesCount(scene, thread)).toBe(count)
      for (const reader of thread.readers) reader.close()
    },
    120_000,
  )
})

describe('a thread that is read at one instance while it is answered at the other', () => {
  let scene: TwinScene
  const env = { COMMENTS_PER_MINUTE: '100000', COMMENT_CHANGES_PER_MINUTE: '100000' }
  beforeAll(async () => {
    scene = await startTwins({ env }, { env })
  })
  afterAll(() => scene.close())

  it('counts each reply once, tells of it once, and ends with the right count', async () => {
    const thread = await openThread(scene)
    let left = 200
    const write = async () => {
      while (left-- > 0) expect((await post(scene, thread)).status).toBe(201)
    }
    const read = async () => {
      while (left > 0) await scene.other.guest.get(`/comments/${thread.threadId}/replies?take=1`)
    }
    await Promise.all([write(), write(), read(), read()])
    await scene.caughtUp()

    const visible = await scene.service.db.comments.countDocuments({ parentId: thread.threadId, status: 'visible' })
    expect(await repliesCount(scene, thread)).toBe(visible)
    for (const reader of thread.readers) {
      const told = (await reader.seen()).map(({ payload }) => payload)
      expect(new Set(told.map(({ commentId }) => commentId)).size).toBe(visible)
      expect(told).toHaveLength(visible)
      expect(Math.max(...told.map(({ parentRepliesCount }) => Number(parentRepliesCount)))).toBe(visible)
      reader.close()
    }
  })

  it('is not looked at again by the instance that wrote the replies', async () => {
    const thread = await openThread(scene)
    const looks = vi.spyOn(scene.service.deps.db.comments, 'countDocuments')
    await post(scene, thread)
    await scene.caughtUp()
    await new Promise((resolve) => setTimeout(resolve, UNCOUNTED_AFTER_MS + 500))
    expect(looks).not.toHaveBeenCalled()
    looks.mockRestore()
    for (const reader of thread.readers) reader.close()
  })
})

describe('processes that are killed anywhere in a change', () => {
  let scene: TwinScene
  beforeAll(async () => {
    scene = await startTwins()
  })
  afterAll(() => scene.close())

  it.each([{ seed: 81 }])(
    'leave every socket of both instances with the final state: seed $seed',
    async ({ seed }) => {
      const random = randomFrom(seed)
      const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
      const thread = await openThread(scene)
      const { gameId, threadId } = thread
      const likers = Array.from({ length: 10 }, () => String(new ObjectId()))
      for (let round = 0; round < 10; round++) {
        const { body: fresh } = await post(scene, thread)
        const visible = await scene.service.db.comments.find({ gameId, status: 'visible' }).toArray()
        const replies = visible.filter(({ parentId }) => parentId !== null)
        const verb = pick(['like', 'edit', 'hide', 'delete', 'reply'])
        const target = verb === 'reply' ? { _id: threadId, userId: null } : pick(replies)
        const step = ['like', 'edit'].includes(verb) ? 'comment:written' : pick(['comment:count', 'comment:written'])
        const userId = verb === 'edit' ? String(target.userId) : (likers[round] ?? '')
        await changeAndDie(scene.service, { verb, commentId: target._id, gameId, userId, step })
        if (random() < 0.5) await scene.atOther(scene.author).put(`/comments/${fresh._id}/like`)
        if (random() < 0.5) await readAtBoth(scene, thread)
      }
      await readAtBoth(scene, thread)
      await scene.caughtUp()
      const stored = await scene.service.db.comments.find({ parentId: threadId }).toArray()
      for (const reader of thread.readers) {
        await expectFinalState(scene.service.db, gameId, reader)
        const created = (await reader.seen()).filter(({ event }) => event === 'comment:created')
        const isTold = (id: string) => created.filter(({ payload }) => payload.commentId === id).length
        // A reply that was hidden before anybody had counted it is told of as hidden.
        for (const { _id } of stored) expect(isTold(String(_id))).toBeLessThanOrEqual(1)
        for (const { _id, status } of stored) if (status === 'visible') expect(isTold(String(_id))).toBe(1)
        reader.close()
      }
    },
    180_000,
  )
})

describe('a connection that broke between a reply and the count of its thread', () => {
  let proxy: DatabaseProxy
  let scene: TwinScene
  let atCount = () => {}
  beforeAll(async () => {
    proxy = await startDatabaseProxy()
    const failpoint = async (step: string) => {
      if (step === 'comment:count') atCount()
    }
    scene = await startTwins({ mongodbUri: proxy.uri, feedUri: proxy.target, failpoint }, { mongodbUri: proxy.target })
  })
  afterAll(async () => {
    await scene.close()
    await proxy.close()
  })

  it.each([
    { title: 'the answer to the insert is lost', prepare: () => proxy.cutAfterCommand('lost insert') },
    { title: 'the answer to the count is lost', prepare: () => proxy.cutAfterCommand('$countedChanges') },
    {
      title: 'the count is never sent',
      prepare: () => {
        atCount = () => proxy.cut()
      },
    },
  ])(
    '$title: both instances are told once, the sender too, and the count is right',
    async ({ prepare }) => {
      const thread = await openThread(scene)
      prepare()
      const { status } = await post(scene, thread, 'a reply, lost insert')
      atCount = () => {}
      expect(status).toBe(503)
      expect(scene.service.deps.feed.lostAnswers.isEmpty()).toBe(false)
      proxy.restore()
      await vi.waitUntil(() => scene.service.deps.feed.lostAnswers.isEmpty(), WAIT)

      const stored = await scene.service.db.comments.findOne({ parentId: thread.threadId })
      await readAtBoth(scene, thread)
      for (const seen of await seenByBoth(scene, thread, stored?._id)) {
        expect(seen).toMatchObject([{ event: 'comment:created', payload: { parentRepliesCount: 1 } }])
      }
      expect(await repliesCount(scene, thread)).toBe(1)
      for (const reader of thread.readers) reader.close()
    },
    60_000,
  )

  it('a reply that was hidden long ago is not counted again when the write that shows it is lost', async () => {
    const thread = await openThread(scene)
    const { body: old } = await post(scene, thread)
    const show = (status: string) => scene.admin.patch(`/comments/${old._id}/status`, { body: { status } })
    await show('hidden')
    await post(scene, thread)
    // As after many other changes.
    await scene.service.db.comments.updateOne({ _id: thread.threadId }, { $set: { countedChanges: [] } })
    proxy.cutBeforeCommand('visibilityChange')
    expect((await show('visible')).status).toBe(503)
    expect(scene.service.deps.feed.lostAnswers.isEmpty()).toBe(false)
    proxy.restore()
    await vi.waitUntil(() => scene.service.deps.feed.lostAnswers.isEmpty(), WAIT)
    expect(await repliesCount(scene, thread)).toBe(1)
    for (const reader of thread.readers) reader.close()
  })
})
