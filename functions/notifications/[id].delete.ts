import { IdParams } from '../../lib/contract/ids.ts'
import { UnreadCount } from '../../lib/contract/notifications.ts'
import { removeNotification } from '../../lib/domain/notifications/remove-notification.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Remove an own notification; a missing one is no error',
  auth: 'user',
  limit: 'notifications',
  params: IdParams,
  response: UnreadCount,
  errors: [],

  handle: ({ params, actor, deps }) => removeNotification(deps, actor, params),
})
