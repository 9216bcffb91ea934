import type { NotificationList, NotificationsQuery } from '../../contract/notifications.ts'
import { NEWEST_FIRST } from '../../infrastructure/db/collections/notifications.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { countUnread, ofTypes } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'
import { notificationsToWire } from './to-wire.ts'

/** Lists the notifications of a user, the newest change first. */
export async function listNotifications(
  deps: NotificationsDeps,
  { viewer: { _id: userId }, before, take, unread, types }: NotificationsQuery & { viewer: SessionUser },
): Promise<NotificationList> {
  const { notifications } = deps.db
  const filter = {
    userId,
    ...(before !== undefined && { updatedAt: { $lt: new Date(before) } }),
    ...(unread === 'true' && { isRead: false }),
    ...ofTypes(types),
  }
  const [found, unreadCount] = await Promise.all([
    notifications
      .find(filter, { hint: NEWEST_FIRST })
      .sort(NEWEST_FIRST)
      .limit(take + 1)
      .toArray(),
    countUnread(deps, userId, types),
  ])
  const items = await notificationsToWire(deps, found.slice(0, take))
  return { items, unreadCount, nextCursor: found.length > take ? (items.at(-1)?.updatedAt ?? null) : null }
}
