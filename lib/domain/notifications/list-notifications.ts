import type { NotificationList, NotificationsQuery } from '../../contract/notifications.ts'
import { NEWEST_FIRST } from '../../infrastructure/db/collections/notifications.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { countUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'
import { notificationsToWire } from './to-wire.ts'

/** Lists the notifications of a user, the newest change first. */
export async function listNotifications(
  deps: NotificationsDeps,
  { viewer: { _id: userId }, page, take, unread: isUnreadOnly }: NotificationsQuery & { viewer: SessionUser },
): Promise<NotificationList> {
  const { notifications } = deps.db
  const options = { hint: NEWEST_FIRST }
  const filter = { userId, ...(isUnreadOnly && { isRead: false }) }
  const [rows, unread, all] = await Promise.all([
    notifications
      .find(filter, options)
      .sort({ updatedAt: -1, _id: -1 })
      .skip((page - 1) * take)
      .limit(take)
      .toArray(),
    countUnread(deps, userId),
    isUnreadOnly ? undefined : notifications.countDocuments({ userId }, options),
  ])
  return { results: await notificationsToWire(deps, rows), total: all ?? unread, unread }
}
