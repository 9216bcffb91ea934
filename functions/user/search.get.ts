import { UserProfile, UserSearchQuery } from '../../lib/contract/users.ts'
import { defineFunction } from '../../lib/http/define-function.ts'
import { searchUser } from '../../lib/users/search-user.ts'

export default defineFunction({
  summary: 'Find the account of a user name, which must be whole, in any case',
  auth: 'public',
  query: UserSearchQuery,
  response: UserProfile,
  errors: ['NOT_FOUND'],

  handle: ({ query, deps }) => searchUser(deps, { userName: query.searchString }),
})
