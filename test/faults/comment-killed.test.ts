import { ObjectId } from 'mongodb'
import { afterAll, expect, it } from 'vitest'
import { type Reader, watchDiscussion } from '../support/clients/watch-discussion.ts'
import { changeAndDie } from '../support/processes/spawn-change.ts'
import { insertGame } from '../support/rows/rows.ts'
import { startTwins } from '../support/scenes/twin-scene.ts'

const scene = await startTwins()
afterAll(() => scene.close())

const UNCOMMITTED = ['comment:counted', 'comment:status-set', 'comment:action-recorded']
const CASES = [
  ...['comment:counted', 'comment:inserted'].map((step) => ({ verb: 'reply', step, isDone: false })),
  { verb: 'reply', step: 'comment:written', isDone: true },
  ...['hide', 'show', 'delete'].flatMap((verb) => [
    ...UNCOMMITTED.map((step) => ({ verb, step, isDone: false })),
    { verb, step: 'comment:written', isDone: true },
  ]),
]

it.each(CASES)(
  'a process that is killed at $step of "$verb" leaves nothing half, nothing twice and nothing untold',
  async ({ verb, step, isDone }) => {
    const { service, other, admin, reader } = scene
    const { comments, staffActions } = service.db
    const gameId = await insertGame(service.db)
    const threadId = await scene.insert({ gameId })
    const { body: reply } = await reader.post('/comments', { body: { gameId, parentId: threadId, body: 'a reply' } })
    const before = verb === 'show' ? 'hidden' : 'visible'
    if (before === 'hidden') await admin.patch(`/comments/${reply._id}/status`, { body: { status: 'hidden' } })
    await scene.caughtUp()
    const readers: Reader[] = await Promise.all([
      watchDiscussion(service.baseUrl, gameId),
      watchDiscussion(other.baseUrl, gameId),
    ])
    const commentId = verb === 'reply' ? threadId : reply._id
    await changeAndDie(service, { verb, id: commentId, gameId, userId: admin.id, step })

    // The documents are locked until the database gives the transaction up.
    for (let status = 503; status === 503; ) {
      const answer = await reader.post('/comments', { body: { gameId, parentId: threadId, body: 'a later reply' } })
      status = answer.status
      expect([201, 503]).toContain(status)
    }
    await scene.caughtUp()

    const replies = await comments.find({ parentId: threadId }).toArray()
    const visible = replies.filter(({ status }) => status === 'visible').length
    expect((await comments.findOne({ _id: threadId }))?.repliesCount).toBe(visible)
    expect(replies).toHaveLength(verb === 'reply' && isDone ? 3 : 2)
    const isChanged = (await comments.findOne({ _id: new ObjectId(String(reply._id)) }))?.status !== before
    expect(isChanged).toBe(isDone && verb !== 'reply')
    expect(await staffActions.countDocuments({ 'target.id': String(reply._id) })).toBe(
      Number(isChanged) + Number(before === 'hidden'),
    )
    for (const each of readers) {
      const seen = await each.seen()
      expect(seen.filter(({ event }) => event === 'comment:status')).toHaveLength(Number(isChanged))
      expect(seen.filter(({ event }) => event === 'comment:created')).toHaveLength(verb === 'reply' && isDone ? 2 : 1)
      each.close()
    }
  },
  120_000,
)
