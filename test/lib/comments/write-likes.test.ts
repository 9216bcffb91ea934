import { ObjectId } from 'mongodb'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { setLike } from '../../../lib/comments/set-like.ts'
import { createLikeWrites, type LikeToWrite } from '../../../lib/comments/write-likes.ts'
import { openDatabase } from '../../../lib/db/connect.ts'
import { toSaid } from '../../../lib/events/announcement.ts'
import { profile } from '../../support/clients/profile.ts'
import { type DiscussionScene, startDiscussion } from '../../support/scenes/discussion-scene.ts'

let scene: DiscussionScene
let voter: ObjectId
beforeAll(async () => {
  scene = await startDiscussion()
  voter = new ObjectId(scene.reader.id)
})
afterAll(() => scene.service.close())

const toWrite = (commentId: ObjectId, facts: Partial<LikeToWrite> = {}): LikeToWrite => ({
  commentId,
  voter,
  isActive: true,
  said: `like of ${commentId}`,
  ...facts,
})
const insertLiked = (facts: { likedBy: ObjectId[]; rev?: number }) =>
  scene.insert({ ...facts, likesCount: facts.likedBy.length })

test('of likes that arrive at once each has its own outcome, and none makes a comment', async () => {
  const { comments } = scene.service.db
  const write = createLikeWrites(scene.service.db)
  const others = [new ObjectId(), new ObjectId()]
  const [fresh, liked] = [await insertLiked({ likedBy: others, rev: 7 }), await insertLiked({ likedBy: [voter] })]
  const [again, never] = [await insertLiked({ likedBy: [voter] }), await insertLiked({ likedBy: others })]
  const [own, hidden, unknown] = [
    await scene.insert({ userId: voter }),
    await scene.insert({ status: 'hidden' }),
    new ObjectId(),
  ]
  const count = await comments.countDocuments()

  const results = await Promise.all(
    [
      toWrite(fresh),
      toWrite(liked, { isActive: false }),
      toWrite(again),
      toWrite(never, { isActive: false }),
      ...[own, hidden, unknown].flatMap((id) => [toWrite(id), toWrite(id, { isActive: false })]),
    ].map(write),
  )

  expect(results).toEqual([
    { outcome: 'written', likesCount: 3, rev: 8 },
    { outcome: 'written', likesCount: 0, rev: 1 },
    ...Array.from({ length: 8 }, () => ({ outcome: 'unchanged' })),
  ])
  expect(await comments.countDocuments()).toBe(count)
  const state = async (_id: ObjectId) => {
    const comment = await comments.findOne({ _id })
    return [comment?.likedBy, comment?.likesCount, comment?.said]
  }
  expect(await state(fresh)).toEqual([[...others, voter], 3, `like of ${fresh}`])
  expect(await state(liked)).toEqual([[], 0, `like of ${liked}`])
  expect(await state(again)).toEqual([[voter], 1, undefined])
  expect(await state(never)).toEqual([others, 2, undefined])
})

test('likes that arrive at once are one update of each comment in one command, and one read', async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => scene.insert()))
  const write = createLikeWrites(scene.service.db)
  const said = toSaid(scene.service.deps, { event: null, payload: {} })
  const commands = await profile(scene.service.db, 'comments', async () => {
    await Promise.all(ids.map((id) => write(toWrite(id, { said }))))
  })

  // The profile has a line for each update of a command; votes one by one are commands of another kind.
  expect(commands.map(({ op }) => op)).toEqual([...ids.map(() => 'update'), 'query'])
})

test('a like that the database refuses fails alone', async () => {
  const write = createLikeWrites(scene.service.db)
  const [odd, usual] = [await scene.insert(), await scene.insert()]
  await scene.service.db.comments.updateOne({ _id: odd }, [{ $set: { likesCount: 'many' } }])

  expect(await Promise.all([odd, usual].map((id) => write(toWrite(id))))).toEqual([
    { outcome: 'failed', error: expect.objectContaining({ code: 14 }) },
    { outcome: 'written', likesCount: 1, rev: 1 },
  ])
})

test('a command that fails as a whole fails for each', async () => {
  const db = openDatabase(scene.service.mongodbUri)
  const write = createLikeWrites(db)
  const ids = [await scene.insert(), await scene.insert()]
  await db.close()

  const results = await Promise.allSettled(ids.map((id) => write(toWrite(id))))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

test('a command that is refused as a whole fails for each, with the reason', async () => {
  const { comments } = scene.service.db
  const refuse: typeof comments.bulkWrite = (operations, options) =>
    comments.bulkWrite(operations, { ...options, maxTimeMS: -1 })
  const write = createLikeWrites({ comments: Object.assign(Object.create(comments), { bulkWrite: refuse }) })
  const ids = [await scene.insert(), await scene.insert()]

  const results = await Promise.allSettled(ids.map((id) => write(toWrite(id))))
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await comments.countDocuments({ _id: { $in: ids }, likesCount: 0 })).toBe(2)
})

test('likes whose counts cannot be read are written, and announced by another read', async () => {
  const { deps, db } = scene.service
  const ids = [await scene.insert(), await scene.insert()]
  const { comments } = db
  const unreadable = Object.assign(Object.create(comments), {
    find: () => {
      throw new Error('no reading')
    },
  })
  const write = createLikeWrites({ comments: unreadable })
  let arrived = 0
  let open = () => {}
  const areHere = new Promise<void>((resolve) => {
    open = resolve
  })
  // One that came first would be alone, and read nothing.
  const likeWrites: typeof write = async (like) => {
    arrived += 1
    if (arrived === ids.length) open()
    await areHere
    return await write(like)
  }
  const { user } = scene.reader
  if (user === undefined) throw new Error('the reader has signed in')
  const likes: unknown[] = []
  const emit = { ...deps.emit, comments: { ...deps.emit.comments, likes: (event: unknown) => void likes.push(event) } }
  const like = (_id: ObjectId) =>
    setLike(
      { ...deps, likeWrites, emit },
      { commentId: String(_id), voter: { ...user, isAdmin: false }, isActive: true },
    )

  const results = await Promise.allSettled(ids.map(like))
  expect(results).toEqual(ids.map(() => ({ status: 'rejected', reason: new Error('no reading') })))
  expect(likes).toHaveLength(2)
  expect(likes).toEqual(
    expect.arrayContaining(ids.map((_id) => expect.objectContaining({ commentId: String(_id), likesCount: 1 }))),
  )
})
