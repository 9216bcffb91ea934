import type { SessionUser } from '../auth/session-user.ts'
import type { Page } from '../contract/pages.ts'
import type { ContentRequestList } from '../contract/requests.ts'
import { OWN_NEWEST_FIRST } from '../db/collections/content-requests.ts'
import type { RequestsDeps } from './deps.ts'
import { findRequestsPage } from './find-requests-page.ts'
import { toContentRequest } from './to-wire.ts'

/** Lists the requests of their author, newest first. */
export async function listOwnRequests(
  deps: Pick<RequestsDeps, 'db'>,
  { author, ...page }: Page & { author: SessionUser },
): Promise<ContentRequestList> {
  const { rows, names, total } = await findRequestsPage(deps, {
    filter: { userId: author._id },
    sort: { createdAt: -1, _id: -1 },
    index: OWN_NEWEST_FIRST,
    ...page,
  })
  return { results: rows.map((row) => toContentRequest(row, names)), total }
}
