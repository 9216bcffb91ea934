import { BODY_MAX_BYTES, ResetBody, Session } from '../../lib/contract/index.ts'
import { resetByLink } from '../../lib/domain/auth/reset-link.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Set a new password by the token of a one-time link and end every session of the user',
  auth: 'public',
  accounts: 'own',
  body: ResetBody,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: Session,
  errors: ['NOT_FOUND', 'RATE_LIMITED'],

  handle: ({ body, address, deps }) => resetByLink(deps, { ...body, address }),
})
