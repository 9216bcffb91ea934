import type { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import type { Caller } from '../../../support/clients/caller.ts'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const { service, author, admin, gameId, insert, watch } = await useDiscussion()
const otherAdmin = await service.caller({ isAdmin: true })

const setStatus = (caller: Caller, _id: ObjectId, status: string) =>
  caller.patch(`/comments/${_id}/status`, { body: { status } })

it('200: hiding and showing a reply moves the count of its thread and sends the others an event', async () => {
  const parentId = await insert({ repliesCount: 1 })
  const _id = await insert({ parentId, replyToId: parentId })
  const tab = await watch()
  const hidden = await setStatus(admin, _id, 'hidden')
  const shown = await setStatus(admin, _id, 'visible')

  expect(hidden.body).toMatchObject({ status: 'hidden', body: '<p>Hello</p>', userId: author.id, reportsCount: 0 })
  expect(shown.body).toMatchObject({ status: 'visible' })
  const event = { gameId: gameId.toHexString(), commentId: _id.toHexString(), parentId: parentId.toHexString() }
  expect(await tab.seen()).toEqual([
    { event: 'comment:status', payload: { ...event, parentRepliesCount: 0, status: 'hidden' } },
    { event: 'comment:status', payload: { ...event, parentRepliesCount: 1, status: 'visible' } },
  ])
})

it('200 without an event when the status is that already', async () => {
  const _id = await insert({ status: 'hidden' })
  const tab = await watch()
  expect((await setStatus(admin, _id, 'hidden')).body).toMatchObject({ status: 'hidden' })
  expect(await tab.seen()).toEqual([])
})

it('409 for a text that was edited since it was read: it stays hidden', async () => {
  const _id = await insert({ status: 'hidden', updatedAt: new Date(2_000) })
  const show = (updatedAt: Date) =>
    admin.patch(`/comments/${_id}/status`, { body: { status: 'visible', updatedAt: updatedAt.toISOString() } })
  expect(await show(new Date(1_000))).toMatchObject({ status: 409, body: { error: 'Conflict' } })
  expect(await service.db.comments.findOne({ _id })).toMatchObject({ status: 'hidden' })
  expect((await show(new Date(2_000))).body).toMatchObject({ status: 'visible' })
})

it('200 for two admins who hide one reply at once: the count falls by one, with one event', async () => {
  for (let round = 0; round < 3; round++) {
    const parentId = await insert({ repliesCount: 5 })
    const _id = await insert({ parentId, replyToId: parentId })
    const tab = await watch()
    const answers = await Promise.all([setStatus(admin, _id, 'hidden'), setStatus(otherAdmin, _id, 'hidden')])

    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await service.db.comments.findOne({ _id: parentId })).toMatchObject({ repliesCount: 4 })
    expect((await tab.seen()).map(({ payload }) => payload.parentRepliesCount)).toEqual([4])
  }
})
