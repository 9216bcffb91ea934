import type { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { UNREAD_BY_KEY } from '../db/collections/notifications.ts'
import type { NotificationsDeps } from './deps.ts'

export const countUnread = ({ db }: NotificationsDeps, userId: ObjectId): Promise<number> =>
  db.notifications.countDocuments({ userId, isRead: false }, { hint: UNREAD_BY_KEY, maxTimeMS: MAX_TIME_MS })
