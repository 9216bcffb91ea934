import { NotificationList, NotificationsQuery } from '../lib/contract/notifications.ts'
import { listNotifications } from '../lib/domain/notifications/list-notifications.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List the notifications of the signed-in user, the newest change first',
  description: 'Decided reports and suspensions are listed and counted for `types=all` only.',
  auth: 'user',
  query: NotificationsQuery,
  response: NotificationList,

  handle: ({ query, viewer, deps }) => listNotifications(deps, { ...query, viewer }),
})
