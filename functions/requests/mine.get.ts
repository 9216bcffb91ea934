import { ContentRequestList, MyRequestsQuery } from '../../lib/contract/requests.ts'
import { findRequestsPage } from '../../lib/domain/requests/find-requests-page.ts'
import { toContentRequest } from '../../lib/domain/requests/to-wire.ts'
import { BY_USER_NEWEST_FIRST } from '../../lib/infrastructure/db/collections/content-requests.ts'
import { defineFunction } from '../../lib/web/http/define-function.ts'

export default defineFunction({
  summary: 'List the requests of the signed-in user, newest first',
  auth: 'user',
  isSerial: true,
  query: MyRequestsQuery,
  response: ContentRequestList,

  async handle({ query, viewer, deps }) {
    const { rows, names, total } = await findRequestsPage(deps, {
      filter: { userId: viewer._id },
      sort: { createdAt: -1, _id: -1 },
      index: BY_USER_NEWEST_FIRST,
      ...query,
    })
    return { results: rows.map((row) => toContentRequest(deps, row, names)), total }
  },
})
