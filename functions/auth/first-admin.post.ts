import { BODY_MAX_BYTES, LinkBody, Session } from '../../lib/contract/index.ts'
import { becomeFirstAdmin } from '../../lib/domain/auth/admin-role.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Become the first admin, by the token of the address that a start in production prints while there is none',
  auth: 'user',
  accounts: 'own',
  body: LinkBody,
  maxBodyBytes: BODY_MAX_BYTES.signIn,
  response: Session,
  errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED', 'UNAUTHORIZED'],

  handle: ({ body, actor, address, deps }) => becomeFirstAdmin(deps, actor, { ...body, address }),
})
