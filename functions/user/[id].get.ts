import { IdParams } from '../../lib/contract/ids.ts'
import { UserProfile } from '../../lib/contract/users.ts'
import { defineFunction } from '../../lib/http/define-function.ts'
import { findUser } from '../../lib/users/find-user.ts'

export default defineFunction({
  summary: 'Read the public profile of an account',
  auth: 'public',
  params: IdParams,
  response: UserProfile,
  errors: ['NOT_FOUND'],

  handle: ({ params, deps }) => findUser(deps, { userId: params.id }),
})
