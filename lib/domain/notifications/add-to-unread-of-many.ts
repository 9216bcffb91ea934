import type { ClientSession, ObjectId } from 'mongodb'
import { NOTIFICATIONS_KEPT } from '../../contract/limits.ts'
import type { NotificationDocument } from '../../infrastructure/db/collections/notifications.ts'
import { countIn } from '../../infrastructure/db/expressions.ts'
import { addition, trim } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

interface Addition extends Pick<NotificationDocument, 'key' | 'type' | 'facts'> {
  userIds: readonly ObjectId[]
}

interface Notified {
  _id: ObjectId
  newest: Pick<NotificationDocument, 'updatedAt'>[]
  oldest: unknown[]
}

const newestFirst = (skip: number) => [
  { $sort: { updatedAt: -1 } },
  { $skip: skip },
  { $limit: 1 },
  { $project: { _id: 0, updatedAt: 1 } },
]

const join = (as: string, skip: number) => ({
  $lookup: { from: 'notifications', localField: '_id', foreignField: 'userId', pipeline: newestFirst(skip), as },
})

/**
 * Counts one more in the unread notification of a key, for each of many users: two commands, whatever their number, because a
 * transaction may last some seconds only. A user who is gone is left out.
 */
export async function addToUnreadOfMany(
  { db: { notifications, users } }: NotificationsDeps,
  { userIds, key, type, facts }: Addition,
  session: ClientSession,
): Promise<void> {
  if (userIds.length === 0) return
  const stages = [
    { $match: { _id: { $in: [...userIds] } } },
    { $project: { _id: 1 } },
    join('newest', 0),
    join('oldest', NOTIFICATIONS_KEPT - 1),
  ]
  const notified = await users.aggregate<Notified>(stages, { session }).toArray()
  if (notified.length === 0) return
  const fields = { type, facts: { $literal: facts }, count: { $add: [countIn('$count'), 1] } }
  const operations = notified.map(({ _id: userId, newest: [newest] }) => ({
    updateOne: { filter: { userId, key, isRead: false }, update: addition(userId, fields, newest), upsert: true },
  }))
  await notifications.bulkWrite(operations, { session })
  const full = notified.filter(({ oldest }) => oldest.length > 0)
  for (const { _id } of full) await trim(notifications, _id, session)
}
