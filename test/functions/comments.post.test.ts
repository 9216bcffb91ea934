import { ObjectId } from 'mongodb'
import { expect, it } from 'vitest'
import { watchDiscussion } from '../support/clients/watch-discussion.ts'
import { insertComment, insertGame } from '../support/rows/rows.ts'
import { useService } from '../support/service/start-service.ts'

const service = await useService()
const alice = await service.caller({ userName: 'alice' })
const bob = await service.caller({ userName: 'bob' })

it('201 with the comment as its author sees it', async () => {
  const gameId = await insertGame(service.db)
  const answer = await alice.post('/comments', { body: { gameId, body: '<p>Hello</p>', isSpoiler: true } })

  expect(answer.status).toBe(201)
  expect(answer.body).toEqual({
    _id: expect.stringMatching(/^[0-9a-f]{24}$/),
    gameId: gameId.toHexString(),
    userId: alice.id,
    parentId: null,
    replyToId: null,
    body: '<p>Hello</p>',
    isSpoiler: true,
    likesCount: 0,
    repliesCount: 0,
    status: 'visible',
    createdAt: answer.body.updatedAt,
    updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    replyTo: null,
    author: { _id: alice.id, userName: 'alice' },
    isLiked: false,
    isReported: false,
    reviewId: null,
    review: null,
    authorPlaythrough: null,
  })
})

it('201: every other reader of the game gets the event, and nobody else', async () => {
  const [gameId, otherGameId] = [await insertGame(service.db), await insertGame(service.db)]
  const [writer, reader, elsewhere] = await Promise.all([
    watchDiscussion(service.baseUrl, gameId),
    watchDiscussion(service.baseUrl, gameId.toHexString().toUpperCase()),
    watchDiscussion(service.baseUrl, otherGameId),
  ])
  const { body: comment } = await alice.post('/comments', {
    body: { gameId, body: 'Hello', parentId: null },
    socketId: writer.socketId,
  })

  expect(await reader.seen()).toEqual([
    {
      event: 'comment:created',
      payload: { gameId: gameId.toHexString(), commentId: comment._id, parentId: null, parentRepliesCount: null },
    },
  ])
  expect(await writer.seen()).toEqual([])
  expect(await elsewhere.seen()).toEqual([])
})

it('201: a reply to a reply belongs to the top-level comment, which counts it', async () => {
  const gameId = await insertGame(service.db)
  const reader = await watchDiscussion(service.baseUrl, gameId)
  const { body: top } = await alice.post('/comments', { body: { gameId, body: 'Top' } })
  const { body: reply } = await bob.post('/comments', { body: { gameId, body: 'Reply', parentId: top._id } })
  const { body: deeper } = await alice.post('/comments', {
    body: { gameId, body: 'Deeper', parentId: reply._id.toUpperCase() },
  })

  expect(reply).toMatchObject({ parentId: top._id, replyToId: top._id })
  expect(reply.replyTo).toEqual({ _id: top._id, author: { _id: alice.id, userName: 'alice' } })
  expect(deeper).toMatchObject({ parentId: top._id, replyToId: reply._id })
  expect(deeper.replyTo).toEqual({ _id: reply._id, author: { _id: bob.id, userName: 'bob' } })
  expect((await reader.seen()).slice(1).map(({ payload }) => payload)).toEqual([
    { gameId: gameId.toHexString(), commentId: reply._id, parentId: top._id, parentRepliesCount: 1 },
    { gameId: gameId.toHexString(), commentId: deeper._id, parentId: top._id, parentRepliesCount: 2 },
  ])
})

it('201 for 20 replies at once: their events count up without a gap', async () => {
  const gameId = await insertGame(service.db)
  const { body: top } = await alice.post('/comments', { body: { gameId, body: 'Top' } })
  const reader = await watchDiscussion(service.baseUrl, gameId)
  const writers = await Promise.all(Array.from({ length: 20 }, () => service.caller()))
  await Promise.all(
    writers.map((writer) => writer.post('/comments', { body: { gameId, body: 'Me too', parentId: top._id } })),
  )

  const counts = (await reader.seen()).map(({ payload }) => payload.parentRepliesCount)
  expect(counts).toEqual(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(await service.db.comments.findOne({ _id: new ObjectId(top._id) })).toMatchObject({ repliesCount: 20 })
})

it('404 for an unknown parent and for a parent of another game', async () => {
  const [gameId, otherGameId] = [await insertGame(service.db), await insertGame(service.db)]
  const foreign = await insertComment(service.db, { gameId: otherGameId, userId: new ObjectId() })

  for (const parentId of [new ObjectId(), foreign]) {
    const answer = await alice.post('/comments', { body: { gameId, body: 'Hello', parentId } })
    expect(answer).toMatchObject({ status: 404, body: { message: 'Comment not found' } })
  }
  expect(await service.db.comments.countDocuments({ gameId })).toBe(0)
})

it.each(['hidden', 'deleted'] as const)('400 when the comment answered is %s', async (status) => {
  const gameId = await insertGame(service.db)
  const parentId = await insertComment(service.db, { gameId, userId: new ObjectId(), status })

  expect((await alice.post('/comments', { body: { gameId, body: 'Hello', parentId } })).status).toBe(400)
  expect(await service.db.comments.countDocuments({ gameId })).toBe(1)
})

it('400 for a review, which is not discussed here', async () => {
  const body = { gameId: new ObjectId(), body: 'Hello', reviewId: new ObjectId() }
  expect((await alice.post('/comments', { body })).body.issues).toEqual([
    { path: 'reviewId', message: 'Reviews are not discussed here' },
  ])
})

it('201 for 10,000 characters', async () => {
  const gameId = await insertGame(service.db)
  expect((await alice.post('/comments', { body: { gameId, body: 'x'.repeat(10_000) } })).status).toBe(201)
})
