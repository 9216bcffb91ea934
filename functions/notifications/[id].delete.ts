import { IdParams } from '../../lib/contract/ids.ts'
import { NotificationTypesQuery, UnreadCount } from '../../lib/contract/notifications.ts'
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
  errors: [],

  handle: ({ params, query, actor, deps }) => removeNotification(deps, actor, { ...params, types: query.types }),
})
