import { z } from 'zod'
import { Id } from '../ids.ts'
import { Notification, NotificationTypesQuery, UnreadCount } from '../notifications.ts'
import type { Namespace, ServerEvents } from './namespace.ts'

export const NewNotification = z.object({ notification: Notification, ...UnreadCount.shape })
export type NewNotification = z.infer<typeof NewNotification>

export const ReportsChanged = z.object({ commentId: Id })
export type ReportsChanged = z.infer<typeof ReportsChanged>

export const notificationsNamespace = {
  path: '/notifications',
  summary:
    'Announces notifications of the signed-in user, and to admins that reports changed. Reading and removing go through REST. `types=all` in the query of the ' +
    'handshake includes decided reports and suspensions.',
  query: NotificationTypesQuery,
  requests: {},
  events: {
    'notification:new': {
      summary: 'A notification was created, or an unread one got another actor',
      payload: NewNotification,
    },
    'reports:changed': {
      summary: 'For admins: a comment was reported, is held, or was decided about',
      payload: ReportsChanged,
    },
    'notifications:count': { summary: 'The number of unread notifications after a change', payload: UnreadCount },
  },
} as const satisfies Namespace

export type NotificationsServerEvents = ServerEvents<typeof notificationsNamespace>
