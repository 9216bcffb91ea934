import { IdParams, NotificationTypesQuery, UnreadCount } from '../../lib/contract/index.ts'
import { removeNotification } from '../../lib/domain/notifications/remove-notification.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Remove an own notification; a missing one is no error',
  auth: 'user',
  suspended: 'allowed',
  limit: 'notifications',
  params: IdParams,
  query: NotificationTypesQuery,
  response: UnreadCount,

  handle: ({ params, query, actor, deps }) => removeNotification(deps, actor, { ...params, types: query.types }),
})
