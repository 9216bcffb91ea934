import { randomUUID } from 'node:crypto'
import { ObjectId } from 'mongodb'
import { expect } from 'vitest'
import type { Database } from '#lib/infrastructure/db/connect'
import type { Caller } from '../clients/caller.ts'
import { insertComment, insertConflict, insertReport, insertRequest, newNotification } from '../rows/rows.ts'
import type { TestService } from '../service/start-service.ts'

/** Returns the words that stand in every text of the user. */
export const textOf = ({ id }: Caller) => `words-of-${id}`

const unreadReply = (userId: ObjectId, actor: { _id: ObjectId; userName: string }) =>
  newNotification({ userId, type: 'comment-reply', actors: [actor], actorsCount: 1 })

/** Gives a user everything that an account may have, among content of others. */
export async function fillAccount(service: TestService, user: Caller, others: { gameId: ObjectId; reader: Caller }) {
  const { db, deps } = service
  const { gameId, reader } = others
  const userId = new ObjectId(user.id)
  const readerId = new ObjectId(reader.id)
  const body = `<p>${textOf(user)}</p>`
  const named = { userId, userName: user.user?.userName ?? '' }
  const avatar = `avatars/${userId}/${new ObjectId()}` as const
  await deps.storage.put(avatar, { bytes: Buffer.from('an image'), type: 'image/png' })
  const email = `mail-of-${user.id}@example.com`
  await db.users.updateOne(
    { _id: userId },
    { $set: { avatar, email, description: textOf(user), royalGames: [gameId] } },
  )
  await db.userAddresses.insertOne({ _id: new ObjectId(), userId, address: '192.0.2.1', at: new Date() })
  await db.presets.insertOne({
    _id: userId,
    presets: [{ name: textOf(user), preset: [gameId] }],
    createdAt: new Date(),
    updatedAt: new Date(),
  })
  const thread = await insertComment(db, { gameId, userId, body, likesCount: 1, likedBy: [readerId] })
  const hidden = await insertComment(db, { gameId, userId, body, status: 'hidden' })
  const theirs = await insertComment(db, { gameId, userId: readerId })
  const theirHidden = { gameId, userId: readerId, status: 'hidden' as const, likesCount: 2 }
  const votes = { likedBy: [userId, new ObjectId()], reportsCount: 1, reportedBy: [userId] }
  const commentId = await insertComment(db, { ...theirHidden, ...votes })
  await insertReport(db, { commentId, gameId, authorId: readerId, reporterId: userId })
  const post = async (caller: Caller, parentId: ObjectId, text: string) =>
    (await caller.post('/comments', { body: { gameId, parentId, body: text } })).body._id as string
  const reply = await post(user, theirs, textOf(user))
  const answer = await post(reader, thread, 'An answer')
  await post(user, new ObjectId(answer), textOf(user))
  await user.put(`/comments/${theirs}/like`)
  await user.post(`/comments/${theirs}/report`)
  await reader.put(`/comments/${reply}/like`)
  const actor = { _id: userId, userName: named.userName }
  await db.notifications.insertMany([
    { ...unreadReply(readerId, actor), isRead: true },
    {
      ...unreadReply(readerId, actor),
      isRead: true,
      count: 2,
      actorsCount: 2,
      actors: [actor, { _id: new ObjectId(), userName: 'x' }],
    },
    unreadReply(userId, { _id: readerId, userName: 'reader' }),
  ])
  const pending = await insertRequest(db, { userId, note: 'a note', payload: { name: `Game ${randomUUID()}` } })
  const decided = await insertRequest(db, { userId, status: 'approved', note: 'a note that stays' })
  await insertRequest(db, { userId, status: 'withdrawn', note: textOf(user) })
  await db.staffActions.insertMany([
    {
      _id: new ObjectId(),
      at: new Date(),
      admin: named,
      action: 'comment-hidden',
      target: { kind: 'comment', id: String(theirs) },
    },
    {
      _id: new ObjectId(),
      at: new Date(),
      admin: null,
      action: 'password-reset',
      target: { kind: 'user', id: user.id, name: named.userName },
    },
  ])
  await insertConflict(db, { status: 'resolved', decision: 'match', decidedBy: named })
  await insertConflict(db, { reopenedBy: named })
  return { thread, hidden, theirs, reply: new ObjectId(reply), answer, pending, decided, avatar, email }
}

/** The fields in which the id of a deleted user stays; in the keys of images until every upload has ended. */
const KEPT_IDS: Record<string, readonly string[]> = {
  deletedUsers: ['_id', 'images'],
  comments: ['userId'],
  reports: ['authorId', 'by'],
  staffActions: ['admin.userId', 'target.id'],
  conflicts: ['decidedBy.userId', 'reopenedBy.userId'],
}

function* walk(value: unknown, path = ''): Generator<[path: string, value: string]> {
  if (value instanceof ObjectId) yield [path, value.toHexString()]
  else if (typeof value === 'string') yield [path, value]
  else if (Array.isArray(value)) for (const each of value) yield* walk(each, path)
  else if (typeof value === 'object' && value !== null)
    for (const [key, each] of Object.entries(value)) yield* walk(each, path === '' ? key : `${path}.${key}`)
}

const collectionsOf = (db: Database) =>
  Object.entries(db).filter((entry): entry is [string, Database['users']] => Object(entry[1]).collectionName)

/** Lists what is left of a user in any collection: texts, names, the address, and ids outside of `KEPT_IDS`. */
export async function listLeft(db: Database, { id, user }: Caller): Promise<string[]> {
  const left: string[] = []
  for (const [name, collection] of collectionsOf(db)) {
    for await (const document of collection.find()) {
      for (const [path, value] of walk(document)) {
        const isKept = KEPT_IDS[name]?.includes(path) && (value === id || path === 'images')
        if (!isKept && (value.includes(id) || value === user?.userName)) left.push(`${name}.${path}: ${value}`)
      }
    }
  }
  return left
}

/** Expects every count of comments and notifications to equal a recount. */
export async function expectRecount(db: Database): Promise<void> {
  const comments = await db.comments.find().toArray()
  for (const { _id, parentId, likedBy = [], reportedBy = [], ...stored } of comments) {
    const replies = comments.filter((each) => each.parentId?.equals(_id) && each.status === 'visible')
    expect({ _id, ...stored }).toMatchObject({
      _id,
      likesCount: likedBy.length,
      reportsCount: reportedBy.length,
      repliesCount: parentId === null ? replies.length : 0,
    })
  }
  for (const { _id, actors, actorsCount, count } of await db.notifications
    .find({ type: 'comment-reply', isRead: false })
    .toArray()) {
    const replies = comments.filter(({ notificationId }) => notificationId?.equals(_id))
    const people = new Set(replies.map(({ userId }) => String(userId))).size
    const counts = { _id, count: replies.length, actorsCount: people }
    if (replies.length > 0) expect({ _id, count, actorsCount }).toEqual(counts)
    for (const actor of actors) expect(replies.some(({ userId }) => userId.equals(actor._id))).toBe(true)
  }
}

export async function untilErased({ deletedUsers }: Database, users: readonly { id: string }[]): Promise<void> {
  const _id = { $in: users.map(({ id }) => new ObjectId(id)) }
  while ((await deletedUsers.countDocuments({ _id, erasedAt: { $exists: true } })) < users.length) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
