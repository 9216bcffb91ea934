import { UserProfile, UserSearchQuery } from '../../lib/contract/users.ts'
import { searchUser } from '../../lib/domain/users/find-user.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'Find an account by its full user name, in any case',
  auth: 'public',
  query: UserSearchQuery,
  response: UserProfile,
  errors: ['NOT_FOUND'],

  handle: ({ query, deps }) => searchUser(deps, { userName: query.searchString }),
})
