import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { useDiscussion } from '../../../support/scenes/discussion-scene.ts'

const scene = await useDiscussion()

const actionsAbout = async (commentId: ObjectId) =>
  (
    await scene.service.db.staffActions.find({ 'target.id': String(commentId) }, { sort: { at: 1, _id: 1 } }).toArray()
  ).map(({ action, admin }) => ({ action, by: String(admin?.userId) }))

it("each change by an admin of another user's comment has one entry, a repeat has none", async () => {
  const { admin, reader, insert } = scene
  const commentId = await insert()
  const set = (status: string) => admin.patch(`/comments/${commentId}/status`, { body: { status } })
  await set('visible')
  await set('hidden')
  await set('hidden')
  await set('visible')
  await reader.post(`/comments/${commentId}/report`)
  await set('visible')
  await admin.delete(`/comments/${commentId}`)

  const by = admin.id
  expect(await actionsAbout(commentId)).toEqual([
    { action: 'comment-hidden', by },
    { action: 'comment-shown', by },
    { action: 'reports-cleared', by },
    { action: 'comment-deleted', by },
  ])
  const stored = await scene.service.db.staffActions.find().toArray()
  expect(JSON.stringify(stored)).not.toContain('Hello')
})

it('a change of an own comment has no entry', async () => {
  const { admin, author, insert } = scene
  const [mine, theirs] = [await insert({ userId: new ObjectId(admin.id) }), await insert()]
  await admin.patch(`/comments/${mine}/status`, { body: { status: 'hidden' } })
  await admin.delete(`/comments/${mine}`)
  await author.delete(`/comments/${theirs}`)
  expect([...(await actionsAbout(mine)), ...(await actionsAbout(theirs))]).toEqual([])
})

it.each([
  {
    verb: 'hide',
    change: (id: ObjectId) => scene.admin.patch(`/comments/${id}/status`, { body: { status: 'hidden' } }),
  },
  { verb: 'delete', change: (id: ObjectId) => scene.admin.delete(`/comments/${id}`) },
])('500: $verb changes nothing and sends nothing when its entry cannot be stored', async ({ change }) => {
  const { service, insert, watch } = scene
  const commentId = await insert()
  const reader = await watch()
  const { db } = service.db.staffActions
  await db.command({ collMod: 'staffActions', validator: { nothing: 1 } })
  const { status } = await change(commentId)
  await db.command({ collMod: 'staffActions', validator: {} })

  expect(status).toBe(500)
  expect(await service.db.comments.findOne({ _id: commentId })).toMatchObject({
    status: 'visible',
    body: '<p>Hello</p>',
  })
  expect(await reader.seen()).toEqual([])
  expect(await actionsAbout(commentId)).toEqual([])
})
