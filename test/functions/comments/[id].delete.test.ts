import type { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { useDiscussion } from '../../support/scenes/discussion-scene.ts'

const { service, author, reader: other, admin, gameId, insert, watch } = await useDiscussion()

const insertReply = async (facts = {}) => {
  const parentId = await insert({ repliesCount: 1 })
  return { parentId, _id: await insert({ parentId, replyToId: parentId, ...facts }) }
}
const repliesCount = async (_id: ObjectId) => (await service.db.comments.findOne({ _id }))?.repliesCount

it('200 with the emptied placeholder, and an event for the others', async () => {
  const [_id, decoy] = [await insert(), await insert()]
  const reader = await watch()
  const { status, body } = await author.delete(`/comments/${_id}`)

  expect(status).toBe(200)
  expect(body).toMatchObject({ status: 'deleted', body: '', userId: '', author: null })
  expect(await service.db.comments.findOne({ _id })).toMatchObject({ status: 'deleted', body: '' })
  expect(await service.db.comments.findOne({ _id: decoy })).toMatchObject({ status: 'visible' })
  expect(await reader.seen()).toEqual([
    {
      event: 'comment:status',
      payload: {
        gameId: gameId.toHexString(),
        commentId: _id.toHexString(),
        parentId: null,
        parentRepliesCount: null,
        status: 'deleted',
      },
    },
  ])
})

it('200: a visible reply lowers the count of its thread, a hidden one does not', async () => {
  const reader = await watch()
  const visible = await insertReply()
  const hidden = await insertReply({ status: 'hidden' })
  await author.delete(`/comments/${visible._id}`)
  await author.delete(`/comments/${hidden._id}`)

  expect([await repliesCount(visible.parentId), await repliesCount(hidden.parentId)]).toEqual([0, 1])
  const sent = (await reader.seen()).filter(({ event }) => event === 'comment:status')
  expect(sent.map(({ payload }) => payload)).toMatchObject([
    { parentId: visible.parentId.toHexString(), parentRepliesCount: 0 },
    { parentId: hidden.parentId.toHexString(), parentRepliesCount: null },
  ])
})

it('200 for an admin, 403 for anybody else', async () => {
  const _id = await insert()
  expect((await other.delete(`/comments/${_id}`)).status).toBe(403)
  expect((await admin.delete(`/comments/${_id}`)).body).toMatchObject({ status: 'deleted', reportsCount: 0 })
})

it('404 for every later change of it', async () => {
  const _id = await insert()
  await author.delete(`/comments/${_id}`)
  const later = [
    author.delete(`/comments/${_id}`),
    author.patch(`/comments/${_id}`, { body: { body: 'x' } }),
    other.put(`/comments/${_id}/like`),
    other.delete(`/comments/${_id}/like`),
    other.post(`/comments/${_id}/report`),
    other.delete(`/comments/${_id}`),
    admin.patch(`/comments/${_id}/status`, { body: { status: 'visible' } }),
  ]
  for (const answer of await Promise.all(later)) {
    expect(answer).toMatchObject({ status: 404, body: { message: 'Comment not found' } })
  }
})

it('200: a deletion and a hiding at once have one consistent result', async () => {
  for (let round = 0; round < 3; round++) {
    const { parentId, _id } = await insertReply()
    const reader = await watch()
    const [deletion, hiding] = await Promise.all([
      author.delete(`/comments/${_id}`),
      admin.patch(`/comments/${_id}/status`, { body: { status: 'hidden' } }),
    ])
    // The events of the inserted comments may come late.
    const seen = (await reader.seen()).filter(({ event }) => event === 'comment:status')
    const events = seen.map(({ payload }) => payload)
    const isHiddenFirst = hiding.status === 200

    expect(deletion.status).toBe(200)
    expect(await repliesCount(parentId)).toBe(0)
    expect(events.map(({ status }) => status)).toEqual(isHiddenFirst ? ['hidden', 'deleted'] : ['deleted'])
    expect(events.map((event) => event.parentRepliesCount)).toEqual(isHiddenFirst ? [0, null] : [0])
  }
})
