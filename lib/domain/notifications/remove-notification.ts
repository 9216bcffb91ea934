import { ObjectId } from 'mongodb'
import type { NotificationTypes, UnreadCount } from '../../contract/notifications.ts'
import type { Actor } from '../auth/actor.ts'
import { countUnread, deleteOfUser } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

/** Removes a notification of the actor. A missing one is no error. */
export async function removeNotification(
  deps: NotificationsDeps,
  { user: { _id: userId } }: Actor,
  { id, types }: { id: string; types: NotificationTypes },
): Promise<UnreadCount> {
  const ids = [new ObjectId(id)]
  await deps.db.transaction((session) => deleteOfUser(deps.db.notifications, { userId, ids }, session))
  return { unreadCount: await countUnread(deps, userId, types) }
}
