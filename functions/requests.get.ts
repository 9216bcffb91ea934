import { AdminContentRequestList, RequestsQuery } from '../lib/contract/requests.ts'
import { defineFunction } from '../lib/http/define-function.ts'
import { listRequests } from '../lib/requests/list-requests.ts'

/** List the requests of all users: with `status=pending` oldest first, otherwise newest first. */
export default defineFunction({
  auth: 'admin',
  query: RequestsQuery,
  response: AdminContentRequestList,
  errors: [],

  handle: ({ query, deps }) => listRequests(deps, query),
})
