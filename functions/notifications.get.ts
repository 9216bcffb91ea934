import { NotificationList, NotificationsQuery } from '../lib/contract/notifications.ts'
import { defineFunction } from '../lib/http/define-function.ts'
import { listNotifications } from '../lib/notifications/list-notifications.ts'

export default defineFunction({
  summary: "List one's own notifications, the newest change first",
  auth: 'user',
  query: NotificationsQuery,
  response: NotificationList,
  errors: [],

  handle: ({ query, user, deps }) => listNotifications(deps, { ...query, userId: user._id }),
})
