import { SessionList } from '../../lib/contract/auth.ts'
import { listSessions } from '../../lib/domain/auth/sessions/list-sessions.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List the sessions of the user, the last used first',
  auth: 'user',
  accounts: 'own',
  response: SessionList,

  handle: ({ viewer, cookies, deps }) => listSessions(deps, { viewer, tokens: cookies }),
})
