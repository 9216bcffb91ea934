import { BODY_MAX_BYTES, SessionList } from '../../lib/contract/index.ts'
import { endSessions } from '../../lib/domain/auth/sessions/end-sessions.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'End all sessions of the user but the current one',
  auth: 'user',
  suspended: 'allowed',
  accounts: 'own',
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: SessionList,

  handle: ({ actor, cookies, deps }) => endSessions(deps, actor, { tokens: cookies }),
})
