import { ContentRequestList, OwnRequestsQuery } from '../../lib/contract/requests.ts'
import { defineFunction } from '../../lib/http/define-function.ts'
import { listOwnRequests } from '../../lib/requests/list-own-requests.ts'

export default defineFunction({
  summary: "List one's own requests, newest first",
  auth: 'user',
  isSerial: true,
  query: OwnRequestsQuery,
  response: ContentRequestList,
  errors: [],

  handle: ({ query, user, deps }) => listOwnRequests(deps, { ...query, author: user }),
})
