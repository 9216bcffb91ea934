import { IdParams, UserProfile } from '../../lib/contract/index.ts'
import { findUser } from '../../lib/domain/users/find-user.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Read the public profile of an account',
  auth: 'public',
  params: IdParams,
  response: UserProfile,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => findUser(deps, { userId: params.id }),
})
