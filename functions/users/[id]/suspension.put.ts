import { IdParams, SuspendBody, SuspensionState } from '#lib/contract/index'
import { suspendUser } from '#lib/domain/users/suspension'
import { FEED_LIVE_MS, REQUEST_TIMEOUT_MS } from '#lib/infrastructure/concurrency/timeouts'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'Suspend a user, or change the suspension',
  description:
    'The answer comes once no instance accepts a change of the user that begins later. A suspended user reads, signs in, exports, deletes own comments and the account, and withdraws requests; admins are 403.',
  auth: 'admin',
  params: IdParams,
  body: SuspendBody,
  timeoutMs: REQUEST_TIMEOUT_MS + FEED_LIVE_MS,
  response: SuspensionState,
  errors: ['INVALID', 'NOT_FOUND', 'FORBIDDEN'],

  handle: ({ params, body, actor, deps }) => suspendUser(deps, actor, { userId: params.id, ...body }),
})
