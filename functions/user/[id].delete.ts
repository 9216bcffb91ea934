import { BODY_MAX_BYTES, DeleteAccountBody, IdParams, Session } from '../../lib/contract/index.ts'
import { deleteOwnAccount } from '../../lib/domain/accounts/close-account.ts'
import { FEED_LIVE_MS, REQUEST_TIMEOUT_MS } from '../../lib/infrastructure/concurrency/timeouts.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Delete the own account, with everything that is the user’s',
  description:
    'The answer comes once no session, sign-in or socket of the account works on any instance. Comments, votes, requests and notifications are erased within 20 seconds. A wrong password is 400, not 401; the last admin is 409.',
  auth: 'user',
  suspended: 'allowed',
  accounts: 'own',
  params: IdParams,
  body: DeleteAccountBody,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  timeoutMs: REQUEST_TIMEOUT_MS + FEED_LIVE_MS,
  response: Session,
  errors: ['INVALID', 'UNAUTHORIZED', 'FORBIDDEN', 'CONFLICT', 'RATE_LIMITED'],

  async handle({ params, body, actor, address, cookies, deps }) {
    const deleted = await deleteOwnAccount(deps, actor, { userId: params.id, ...body, address })

    cookies.clear()
    return deleted
  },
})
