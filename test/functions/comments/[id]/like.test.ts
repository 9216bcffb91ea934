import { expect, it } from 'vitest'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const { service, author, reader, gameId, insert, watch } = await useDiscussion({
  env: { COMMENT_CHANGES_PER_MINUTE: '10000' },
})

it('200 with count and vote, and an event for all but the sender; a repeat answers the same and sends nothing', async () => {
  const _id = await insert()
  const [tab, sender] = [await watch(), await watch()]
  const like = () => reader.put(`/comments/${_id}/like`, { socketId: sender.socketId })
  const unlike = () => reader.delete(`/comments/${_id}/like`, { socketId: sender.socketId })

  for (const [send, expected] of [
    [unlike, { count: 0, isActive: false }],
    [like, { count: 1, isActive: true }],
    [like, { count: 1, isActive: true }],
    [unlike, { count: 0, isActive: false }],
    [unlike, { count: 0, isActive: false }],
  ] as const) {
    expect(await send()).toMatchObject({ status: 200, body: expected })
  }
  const ids = { gameId: gameId.toHexString(), commentId: _id.toHexString() }
  expect(await tab.seen()).toEqual([
    { event: 'comment:likes', payload: { ...ids, likesCount: 1 } },
    { event: 'comment:likes', payload: { ...ids, likesCount: 0 } },
  ])
  expect(await sender.seen()).toEqual([])
})

it('400 for an own comment, 404 for a hidden one', async () => {
  expect((await author.put(`/comments/${await insert()}/like`)).status).toBe(400)
  expect((await reader.put(`/comments/${await insert({ status: 'hidden' })}/like`)).status).toBe(404)
})

it('200 for 30 likes and unlikes at once: one event for each change, the last with the stored count', async () => {
  const voters = await Promise.all(Array.from({ length: 15 }, () => service.caller()))
  for (let round = 0; round < 2; round++) {
    const _id = await insert()
    const tab = await watch()
    const answers = await Promise.all(
      voters.flatMap((voter) => [voter.put(`/comments/${_id}/like`), voter.delete(`/comments/${_id}/like`)]),
    )
    expect(answers.every(({ status }) => status === 200)).toBe(true)

    const stored = await service.db.comments.findOne({ _id })
    // The event of the inserted comment may come late.
    const seen = (await tab.seen()).filter(({ event }) => event === 'comment:likes')
    const counts = seen.map(({ payload }) => payload.likesCount)
    expect(stored?.likesCount).toBe(stored?.likedBy?.length)
    expect(counts.at(-1)).toBe(stored?.likesCount)
    for (const [index, count] of counts.entries()) expect(Math.abs(count - (counts[index - 1] ?? 0))).toBe(1)
  }
})
