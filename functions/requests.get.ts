import { AdminContentRequestList, RequestsQuery } from '../lib/contract/requests.ts'
import { defineFunction } from '../lib/http/define-function.ts'
import { listRequests } from '../lib/requests/list-requests.ts'

export default defineFunction({
  summary:
    'List the requests of all users: in the given `order`, else with `status=pending` oldest first, otherwise newest first',
  auth: 'admin',
  isSerial: true,
  query: RequestsQuery,
  response: AdminContentRequestList,
  errors: [],

  handle: ({ query, deps }) => listRequests(deps, query),
})
