import { NotificationTypesQuery, ReadNotificationsBody, UnreadCount } from '../../lib/contract/notifications.ts'
import { markRead } from '../../lib/domain/notifications/mark-read.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Mark own notifications as read, by their ids, all of them, or up to a time',
  description: 'Without `types=all`, all of them and up to a time leave decided reports and suspensions unread.',
  auth: 'user',
  suspended: 'allowed',
  limit: 'notifications',
  query: NotificationTypesQuery,
  body: ReadNotificationsBody,
  response: UnreadCount,

  handle: ({ body, query, actor, deps }) => markRead(deps, actor, { read: body, types: query.types }),
})
