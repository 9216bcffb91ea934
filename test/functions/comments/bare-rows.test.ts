import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { insertGame } from '../../support/rows/rows.ts'
import { useDiscussion } from '../../support/scenes/discussion-scene.ts'

const { service, author, reader, admin, insert } = await useDiscussion()

/** The fields that another program may have left out. */
const ABSENT = ['parentId', 'replyToId', 'isSpoiler', 'repliesCount', 'reportsCount', 'likedBy', 'reportedBy']

it('200: a comment without most of its fields is read and changed, and no other', async () => {
  const gameId = await insertGame(service.db)
  const [bystander, _id] = [await insert({ repliesCount: 1 }), await insert({ gameId })]
  await service.db.comments.updateOne({ _id }, { $unset: Object.fromEntries(ABSENT.map((field) => [field, 1])) })
  const { body } = await reader.get(`/games/${gameId}/comments`)

  expect(body).toMatchObject({
    total: 1,
    results: [
      { _id: _id.toHexString(), parentId: null, replyToId: null, isSpoiler: false, repliesCount: 0, replyTo: null },
    ],
  })
  expect((await reader.put(`/comments/${_id}/like`)).body).toEqual({ count: 1, isActive: true })
  expect((await reader.post(`/comments/${_id}/report`)).status).toBe(200)
  const reply = await reader.post('/comments', { body: { gameId, parentId: _id, body: 'Hello' } })
  expect(reply.body).toMatchObject({ parentId: _id.toHexString() })
  expect((await admin.patch(`/comments/${_id}/status`, { body: { status: 'hidden' } })).body).toMatchObject({
    parentId: null,
    repliesCount: 1,
    reportsCount: 0,
  })
  expect((await author.delete(`/comments/${_id}`)).body).toMatchObject({ status: 'deleted', parentId: null })
  expect(await service.db.comments.findOne({ _id: bystander })).toMatchObject({ repliesCount: 1 })
})

it('404 Game not found when game and parent are both missing; an empty text is 400 first', async () => {
  const missing = { gameId: new ObjectId(), parentId: new ObjectId() }
  const answer = await reader.post('/comments', { body: { ...missing, body: 'Hello' } })
  expect(answer).toMatchObject({ status: 404, body: { message: 'Game not found' } })
  expect((await reader.post('/comments', { body: { ...missing, body: '<p></p>' } })).status).toBe(400)
  expect((await reader.patch(`/comments/${new ObjectId()}`, { body: { body: '<p></p>' } })).status).toBe(400)
})
