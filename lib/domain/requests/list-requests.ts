import {
  type AdminContentRequestList,
  RequestKind,
  RequestStatus,
  type RequestsQuery,
} from '../../contract/requests.ts'
import { QUEUE } from '../../infrastructure/db/collections/content-requests.ts'
import type { RequestsDeps } from './deps.ts'
import { findRequestsPage } from './find-requests-page.ts'
import { toAdminRequest } from './to-wire.ts'

/** Lists the requests of all users: without a requested order, pending ones oldest first and others newest first. */
export async function listRequests(
  deps: Pick<RequestsDeps, 'db' | 'storage'>,
  { status, kind, order = status === 'pending' ? 'oldest' : 'newest', ...page }: RequestsQuery,
): Promise<AdminContentRequestList> {
  const direction = order === 'oldest' ? 1 : -1
  const statuses = status === undefined ? RequestStatus.options : [status]
  const kinds = kind === undefined ? RequestKind.options : [kind]
  const { rows, names, total } = await findRequestsPage(deps, {
    // The filter names every status and kind, so that one index answers each query in its order.
    filter: { status: { $in: statuses }, kind: { $in: kinds } },
    parts: statuses.flatMap((oneStatus) => kinds.map((oneKind) => ({ status: oneStatus, kind: oneKind }))),
    sort: { createdAt: direction, _id: direction },
    index: QUEUE,
    ...page,
  })
  return { results: rows.map((row) => toAdminRequest(deps, row, names)), total }
}
