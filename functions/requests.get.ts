import { AdminContentRequestList, RequestsQuery } from '../lib/contract/requests.ts'
import { listRequests } from '../lib/domain/requests/list-requests.ts'
import { defineFunction } from '../lib/web/http/define-function.ts'

export default defineFunction({
  summary:
    'List the requests of all users: in the given `order`, else with `status=pending` oldest first, otherwise newest first',
  auth: 'admin',
  isSerial: true,
  query: RequestsQuery,
  response: AdminContentRequestList,

  handle: ({ query, deps }) => listRequests(deps, query),
})
