import type { ObjectId } from 'mongodb'
import { UNREAD_BY_KEY } from '../../infrastructure/db/collections/notifications.ts'
import type { NotificationsDeps } from './deps.ts'

export const countUnread = ({ db }: NotificationsDeps, userId: ObjectId): Promise<number> =>
  db.notifications.countDocuments({ userId, isRead: false }, { hint: UNREAD_BY_KEY })
