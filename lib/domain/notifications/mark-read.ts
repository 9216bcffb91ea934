import { type Filter, ObjectId } from 'mongodb'
import type { ReadNotificationsBody } from '../../contract/notifications.ts'
import type { NotificationDocument } from '../../infrastructure/db/collections/notifications.ts'
import type { Actor } from '../auth/actor.ts'
import { changeOf, countUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

/** Marks notifications of a user as read; other users' and unknown ones are left out. The order of the list stays. */
export async function markRead(deps: NotificationsDeps, { user: { _id: userId } }: Actor, read: ReadNotificationsBody) {
  const wanted: Filter<NotificationDocument> =
    'ids' in read
      ? { _id: { $in: read.ids.map((id) => new ObjectId(id)) } }
      : { updatedAt: { $lte: new Date(read.until) } }
  await deps.db.notifications.updateMany(
    { userId, isRead: false, ...wanted },
    { $set: { isRead: true, changeOf: changeOf(userId) }, $inc: { rev: 1 } },
  )
  return { unread: await countUnread(deps, userId) }
}
