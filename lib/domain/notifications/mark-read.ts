import { type Filter, ObjectId } from 'mongodb'
import type { NotificationTypes, ReadNotificationsBody, UnreadCount } from '../../contract/notifications.ts'
import type { NotificationDocument } from '../../infrastructure/db/collections/notifications.ts'
import type { Actor } from '../auth/actor.ts'
import { changeOf, countUnread, ofTypes } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

/** Marks notifications of the actor as read, without ids those that the client is shown. The order of the list stays. */
export async function markRead(
  deps: NotificationsDeps,
  { user: { _id: userId } }: Actor,
  { read, types }: { read: ReadNotificationsBody; types: NotificationTypes },
): Promise<UnreadCount> {
  const wanted: Filter<NotificationDocument> =
    'ids' in read
      ? { _id: { $in: read.ids.map((id) => new ObjectId(id)) } }
      : { ...ofTypes(types), ...('until' in read && { updatedAt: { $lte: new Date(read.until) } }) }
  await deps.db.notifications.updateMany(
    { userId, isRead: false, ...wanted },
    { $set: { isRead: true, changeOf: changeOf(userId) }, $inc: { rev: 1 } },
  )
  return { unreadCount: await countUnread(deps, userId, types) }
}
