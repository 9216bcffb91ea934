import { ObjectId } from 'mongodb'
import type { NotificationTypes, UnreadCount } from '../../contract/notifications.ts'
import type { Actor } from '../auth/actor.ts'
import { changeOf, countUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

/** Removes a notification of the actor. A missing one is no error. */
export async function removeNotification(
  deps: NotificationsDeps,
  { user: { _id: userId } }: Actor,
  { id, types }: { id: string; types: NotificationTypes },
): Promise<UnreadCount> {
  const { notifications } = deps.db
  const filter = { _id: new ObjectId(id), userId }
  await deps.db.transaction(async (session) => {
    // The deletion alone does not name the user in the change stream.
    const change = { $set: { isRead: true, changeOf: changeOf(userId) }, $inc: { rev: 1 } }
    const { matchedCount } = await notifications.updateOne(filter, change, { session })
    if (matchedCount > 0) await notifications.deleteOne(filter, { session })
  })
  return { unreadCount: await countUnread(deps, userId, types) }
}
