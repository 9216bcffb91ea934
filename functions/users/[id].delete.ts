import { AccountIdParams, Session } from '../../lib/contract/index.ts'
import { deleteAccount } from '../../lib/domain/accounts/close-account.ts'
import { FEED_LIVE_MS, REQUEST_TIMEOUT_MS } from '../../lib/infrastructure/concurrency/timeouts.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Delete an account with everything that is its user’s',
  description:
    'The answer comes once no session, sign-in or socket of the account works on any instance; the rest is erased within 20 seconds. The last admin is 409. A user of the site may be named by the id there, URL-encoded, and need not have been here.',
  auth: 'key',
  scope: 'users',
  params: AccountIdParams,
  timeoutMs: REQUEST_TIMEOUT_MS + FEED_LIVE_MS,
  response: Session,
  errors: ['NOT_FOUND', 'CONFLICT'],

  handle: ({ params, deps }) => deleteAccount(deps, params),
})
