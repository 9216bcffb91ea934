import { BODY_MAX_BYTES, IdParams, SessionList } from '#lib/contract/index'
import { endSessions } from '#lib/domain/auth/sessions/end-sessions'
import { defineFunction } from '#lib/web/http/define-function'

export default defineFunction({
  summary: 'End a session of the user',
  auth: 'user',
  suspended: 'allowed',
  accounts: 'own',
  params: IdParams,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: SessionList,
  errors: ['NOT_FOUND'],

  handle: ({ params, actor, cookies, deps }) => endSessions(deps, actor, { sessionId: params.id, tokens: cookies }),
})
