import { type ClientSession, type Document, ObjectId } from 'mongodb'
import { NOTIFICATIONS_KEPT } from '../../contract/limits.ts'
import { COMMON_TYPES, type NotificationTypes } from '../../contract/notifications.ts'
import {
  NEWEST_FIRST,
  type NotificationDocument,
  UNREAD_BY_KEY,
} from '../../infrastructure/db/collections/notifications.ts'
import type { NotificationsDeps } from './deps.ts'

type Notifications = NotificationsDeps['db']['notifications']

/** Selects the types of notifications that a client shows. */
export const ofTypes = (types: NotificationTypes) => (types === 'all' ? {} : { type: { $in: [...COMMON_TYPES] } })

export const countUnread = ({ db }: NotificationsDeps, userId: ObjectId, types: NotificationTypes): Promise<number> =>
  db.notifications.countDocuments({ userId, isRead: false, ...ofTypes(types) }, { hint: UNREAD_BY_KEY })

/** Makes a new value of `changeOf`, so that every write changes the field. */
export const changeOf = (userId: ObjectId) => `${userId.toHexString()}:${new ObjectId().toHexString()}`

/** The fields of a notification about one change. A type overrides the fields that apply to it. */
const ONE = { count: 1, actors: [], actorsCount: 0, gameId: null, commentId: null, requestId: null, facts: null }

/**
 * Makes the pipeline that adds to an unread notification, or inserts it. `updatedAt` becomes newer than those of the user's
 * others; of two transactions that choose the same, one is repeated.
 */
const addition = (userId: ObjectId, fields: Document, newestAt: Date | undefined): Document[] => [
  {
    $set: {
      ...ONE,
      ...fields,
      createdAt: { $ifNull: ['$createdAt', '$$NOW'] },
      updatedAt: { $max: ['$$NOW', new Date((newestAt?.getTime() ?? 0) + 1)] },
      rev: { $add: [{ $ifNull: ['$rev', 0] }, 1] },
      changeOf: changeOf(userId),
    },
  },
]

/**
 * Adds to the unread notification of a key, or inserts one, for each user in the transaction of the notified change. `fields`
 * are expressions of a pipeline. The newest 500 of each user are kept. The commands are two, whatever the number of users,
 * because a transaction may last only some seconds.
 */
export async function addToUnread(
  { db: { notifications } }: NotificationsDeps,
  { userIds, key, fields }: { userIds: readonly ObjectId[]; key: string; fields: Document },
  session: ClientSession,
): Promise<void> {
  if (userIds.length === 0) return
  const stages = [
    { $match: { userId: { $in: userIds } } },
    { $group: { _id: '$userId', newestAt: { $max: '$updatedAt' }, count: { $sum: 1 } } },
  ]
  const inboxes = await notifications
    .aggregate<{ _id: ObjectId; newestAt: Date; count: number }>(stages, { session, hint: NEWEST_FIRST })
    .toArray()
  const newest = new Map(inboxes.map(({ _id, newestAt }) => [_id.toHexString(), newestAt]))
  const operations = userIds.map((userId) => ({
    updateOne: {
      filter: { userId, key, isRead: false },
      update: addition(userId, fields, newest.get(userId.toHexString())),
      upsert: true,
    },
  }))
  await notifications.bulkWrite(operations, { session })
  for (const { _id, count } of inboxes) if (count >= NOTIFICATIONS_KEPT) await trim(notifications, _id, session)
}

async function trim(notifications: Notifications, userId: ObjectId, session: ClientSession): Promise<void> {
  const older = await notifications
    .find<Pick<NotificationDocument, '_id'>>({ userId }, { session, projection: { _id: 1 }, hint: NEWEST_FIRST })
    .sort(NEWEST_FIRST)
    .skip(NOTIFICATIONS_KEPT)
    .toArray()
  const ids = older.map(({ _id }) => _id)
  await deleteOfUser(notifications, { userId, ids }, session)
}

/** Deletes notifications of a user. The update names the user in the change stream, which the deletion alone does not. */
export async function deleteOfUser(
  notifications: Notifications,
  { userId, ids }: { userId: ObjectId; ids: ObjectId[] },
  session: ClientSession,
): Promise<void> {
  const filter = { _id: { $in: ids }, userId }
  const { matchedCount } = await notifications.updateMany(filter, { $set: { changeOf: changeOf(userId) } }, { session })
  if (matchedCount > 0) await notifications.deleteMany(filter, { session })
}
