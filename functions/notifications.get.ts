import { NotificationList, NotificationsQuery } from '../lib/contract/notifications.ts'
import { listNotifications } from '../lib/domain/notifications/list-notifications.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: "List one's own notifications, the newest change first",
  auth: 'user',
  query: NotificationsQuery,
  response: NotificationList,
  errors: [],

  handle: ({ query, viewer, deps }) => listNotifications(deps, { ...query, viewer }),
})
