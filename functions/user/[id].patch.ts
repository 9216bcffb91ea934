import { ChangeProfileBody, IdParams, UserProfile } from '../../lib/contract/index.ts'
import { changeProfile } from '../../lib/domain/users/change-profile.ts'
import { PROFILE_TIMEOUT_MS } from '../../lib/infrastructure/concurrency/timeouts.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Change the own description or avatar, an image link that is copied; null removes it',
  auth: 'user',
  accounts: 'own',
  limit: 'profileChanges',
  params: IdParams,
  body: ChangeProfileBody,
  timeoutMs: PROFILE_TIMEOUT_MS,
  response: UserProfile,
  errors: ['INVALID', 'FORBIDDEN', 'UNAUTHORIZED'],

  handle: ({ params, body, actor, deps }) => changeProfile(deps, actor, { userId: params.id, ...body }),
})
