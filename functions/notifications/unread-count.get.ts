import { NotificationTypesQuery, UnreadCount } from '../../lib/contract/notifications.ts'
import { countUnread } from '../../lib/domain/notifications/add-to-unread.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Count the unread notifications of the signed-in user; `types=all` as in the list',
  auth: 'user',
  query: NotificationTypesQuery,
  response: UnreadCount,

  handle: async ({ query, viewer, deps }) => ({ unreadCount: await countUnread(deps, viewer._id, query.types) }),
})
