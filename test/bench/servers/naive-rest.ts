import { createAdaptorServer } from '@hono/node-server'
import { Hono } from 'hono'
import { MongoClient, ObjectId } from 'mongodb'
import { listenLocally } from '../../support/processes/listen-locally.ts'
import { answerParent } from '../answer-parent.ts'

/** The two endpoints in their most obvious form: votes as documents, a query for each thing that is shown. */
const client = new MongoClient(process.env.BENCH_MONGODB_URI ?? '')
const db = client.db()
const [comments, users, likes, reports] = ['comments', 'users', 'naiveLikes', 'naiveReports'].map((name) =>
  db.collection(name),
)
if (!comments || !users || !likes || !reports) throw new Error('four names make four collections')
for (const votes of [likes, reports]) await votes.createIndex({ commentId: 1, userId: 1 }, { unique: true })
const viewer = new ObjectId(process.env.BENCH_VIEWER)

const app = new Hono()

app.get('/games/:gameId/comments', async (c) => {
  const filter = {
    gameId: new ObjectId(c.req.param('gameId')),
    parentId: null,
    $or: [{ status: 'visible' }, { repliesCount: { $gt: 0 } }],
  }
  const page = await comments
    .find(filter, { projection: { likedBy: 0, reportedBy: 0 } })
    .sort({ likesCount: -1, createdAt: -1, _id: -1 })
    .limit(10)
    .toArray()
  const total = await comments.countDocuments(filter)
  const ids = page.map(({ _id }) => _id)
  const authors = await users
    .find({ _id: { $in: page.map(({ userId }) => userId) } }, { projection: { userName: 1, avatar: 1 } })
    .toArray()
  const mine = { commentId: { $in: ids }, userId: viewer }
  const liked = new Set((await likes.find(mine).toArray()).map(({ commentId }) => String(commentId)))
  const reported = new Set((await reports.find(mine).toArray()).map(({ commentId }) => String(commentId)))
  const authorOf = new Map(authors.map((author) => [String(author._id), author]))

  return c.json({
    results: page.map((comment) => ({
      ...comment,
      author: authorOf.get(String(comment.userId)) ?? null,
      isLiked: liked.has(String(comment._id)),
      isReported: reported.has(String(comment._id)),
    })),
    total,
  })
})

app.put('/comments/:id/like', async (c) => {
  const commentId = new ObjectId(c.req.param('id'))
  const comment = await comments.findOne({ _id: commentId, status: 'visible' }, { projection: { likedBy: 0 } })
  if (comment === null) return c.json({}, 404)
  const vote = { commentId, userId: viewer }
  const { upsertedCount } = await likes.updateOne(vote, { $setOnInsert: vote }, { upsert: true })
  if (upsertedCount === 0) return c.json({ count: comment.likesCount, isActive: true })
  const after = await comments.findOneAndUpdate(
    { _id: commentId },
    { $inc: { likesCount: 1 } },
    { returnDocument: 'after', projection: { likesCount: 1 } },
  )
  return c.json({ count: after?.likesCount, isActive: true })
})

const port = await listenLocally(createAdaptorServer({ fetch: app.fetch }))

answerParent({
  port: () => port,
  takeBack: async () => (await likes.deleteMany({})).deletedCount,
})
