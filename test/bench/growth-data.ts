import { type Collection, type Document, MongoClient, ObjectId } from 'mongodb'
import type { NotificationDocument } from '../../lib/infrastructure/db/collections/notifications.ts'
import type { StaffActionDocument } from '../../lib/infrastructure/db/collections/staff-actions.ts'
import { prepareDatabase } from '../../lib/infrastructure/db/connect.ts'
import { newComment, newConflict, newRequest } from '../support/rows/rows.ts'
import { generateGames } from './catalogue.ts'

/** Counts at 1x; the busiest game, thread and comment grow with the rest. */
const GAMES = 450
const USERS = 150
const COMMENTS = 3_000
const CONFLICTS = 300
const REQUESTS = 60
const ACTIONS = 600
const ROYAL_GAMES = 400
const NOTIFICATIONS = 1_500
const CHUNK = 5_000

export type GrownData = Awaited<ReturnType<typeof fillGrown>>

async function insertAll<T extends Document>(collection: Collection<T>, count: number, make: (index: number) => T) {
  for (let from = 0; from < count; from += CHUNK) {
    const rows = Array.from({ length: Math.min(CHUNK, count - from) }, (_, at) => make(from + at))
    // Each of the types below has an `_id`.
    await collection.insertMany(rows as never, { ordered: false })
  }
}

/** Fills a database with a catalogue and what people wrote about it, `scale` times as large as the smallest. */
export async function fillGrown(uri: string, scale: number) {
  const client = await MongoClient.connect(uri)
  const db = client.db()
  const now = Date.now()
  const minutesAgo = (minutes: number) => new Date(now - minutes * 60_000)
  const newIds = (count: number) => Array.from({ length: count * scale }, () => new ObjectId())
  const [userIds, gameIds, commentIds] = [newIds(USERS), newIds(GAMES), newIds(COMMENTS)]
  const idAt = (ids: readonly ObjectId[], at: number) => ids[at % ids.length] ?? new ObjectId()
  const [admin, busyGame, busyComment] = [idAt(userIds, 0), idAt(gameIds, 0), idAt(commentIds, 0)]

  await insertAll(db.collection('users'), userIds.length, (at) => ({
    _id: idAt(userIds, at),
    userName: `reader-${at}`,
    email: `reader-${at}@example.com`,
    passwordHash: 'none',
    roles: at === 0 ? ['user', 'admin'] : ['user'],
    ...(at === 0 && { royalGames: gameIds.slice(0, ROYAL_GAMES) }),
    createdAt: minutesAgo(at),
    updatedAt: minutesAgo(at),
  }))
  const titles = generateGames()
  await insertAll(db.collection('games'), gameIds.length, (at) => {
    const { value } = titles.next()
    return { ...value, _id: idAt(gameIds, at) }
  })
  await insertAll(db.collection('comments'), commentIds.length, (at) => {
    const isReply = at % 10 === 9
    const likedBy = at === 0 ? userIds.slice(1) : userIds.slice(at % 5, (at % 5) + (at % 3))
    return newComment({
      _id: idAt(commentIds, at),
      gameId: at % 3 === 0 || isReply ? busyGame : idAt(gameIds, at),
      userId: idAt(userIds, at * 7),
      parentId: isReply ? busyComment : null,
      replyToId: isReply ? busyComment : null,
      body: `<p>${'A thought about this game, at some length. '.repeat(3)}</p>`,
      likesCount: likedBy.length,
      likedBy,
      repliesCount: at === 0 ? Math.floor(commentIds.length / 10) : 0,
      reportsCount: at % 50 === 1 ? 1 : 0,
      status: at % 40 === 2 ? 'hidden' : 'visible',
      createdAt: minutesAgo(at),
      updatedAt: minutesAgo(at),
    })
  })
  await insertAll(db.collection('conflicts'), CONFLICTS * scale, (at) =>
    newConflict({
      source: 'vndb',
      externalId: `v${at + 1}`,
      externalName: `Entry ${at}`,
      reason: 'below-threshold',
      candidates: [{ gameId: idAt(gameIds, at), slug: `generated-${at}`, name: `Game ${at}`, score: 50 }],
      status: at % 3 === 2 ? 'resolved' : 'pending',
      decision: null,
      createdAt: minutesAgo(at),
    }),
  )
  const statuses = ['pending', 'approved', 'rejected'] as const
  await insertAll(db.collection('contentRequests'), REQUESTS * scale, (at) =>
    newRequest({
      kind: at % 4 === 0 ? 'character' : 'game',
      payload: { name: `Proposed ${at}` },
      status: statuses[at % 3] ?? 'pending',
      userId: idAt(userIds, at),
      createdAt: minutesAgo(at),
    }),
  )
  const kinds = ['comment', 'conflict', 'request'] as const
  await insertAll(
    db.collection<StaffActionDocument>('staffActions'),
    ACTIONS * scale,
    (at): StaffActionDocument => ({
      _id: new ObjectId(),
      at: minutesAgo(at),
      admin: { userId: idAt(userIds, at % 3), userName: `reader-${at % 3}` },
      action: 'comment-hidden',
      target: { kind: kinds[at % 3] ?? 'comment', id: idAt(commentIds, at).toHexString() },
    }),
  )
  await insertAll(
    db.collection<NotificationDocument>('notifications'),
    NOTIFICATIONS * scale,
    (at): NotificationDocument => ({
      _id: new ObjectId(),
      userId: idAt(userIds, at),
      type: 'comment-reply',
      key: `reply:${idAt(commentIds, at)}`,
      count: 1,
      actors: [{ _id: idAt(userIds, at + 1), userName: `reader-${at + 1}` }],
      actorsCount: 1,
      gameId: busyGame,
      commentId: idAt(commentIds, at),
      requestId: null,
      facts: null,
      isRead: at % 2 === 0,
      createdAt: minutesAgo(at),
      updatedAt: minutesAgo(at),
      rev: 1,
      changeOf: `${idAt(userIds, at)}:${at}`,
    }),
  )
  await client.close()
  await prepareDatabase(uri, { print: (line) => console.error(line) })
  return {
    userIds,
    admin,
    /** The game with a third of all comments. */
    busyGame,
    /** The comment with a tenth of all replies, and with a like of every user but the first. */
    busyComment,
    /** A comment of the admin. */
    ownComment: idAt(commentIds, USERS * scale),
    otherComments: commentIds.slice(1, USERS),
    /** The list of the admin, in order. */
    royalGames: gameIds.slice(0, ROYAL_GAMES),
    /** Games in no list. */
    otherGames: gameIds.slice(ROYAL_GAMES, GAMES),
  }
}
