import type { Filter, ObjectId, Sort } from 'mongodb'
import type { Page } from '../../contract/pages.ts'
import type { ContentRequestDocument } from '../../infrastructure/db/collections/content-requests.ts'
import { findByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { RequestsDeps } from './deps.ts'
import { findNames, REQUEST_FIELDS, type RequestNames, type RequestRow } from './to-wire.ts'

interface FindRequestsPageInput extends Page {
  filter: Filter<ContentRequestDocument>
  /** Parts of the filter. Each is one range of the index, so that the parts are counted much faster than the whole. */
  parts?: readonly Filter<ContentRequestDocument>[]
  sort: Sort
  /** The index has all fields of the filter and of the order, so that only the documents of the page are read. */
  index: Readonly<Record<string, 1 | -1>>
}

/** Finds one page of requests, the names to show with them, and how many there are. */
export async function findRequestsPage(
  deps: Pick<RequestsDeps, 'db'>,
  { filter, parts = [filter], sort, index, page, take }: FindRequestsPageInput,
): Promise<{ rows: RequestRow[]; names: RequestNames; total: number }> {
  const { contentRequests } = deps.db
  const options = { hint: index }
  const [found, ...counts] = await Promise.all([
    contentRequests
      .find<{ _id: ObjectId }>(filter, { ...options, projection: { _id: 1 } })
      .sort(sort)
      .skip((page - 1) * take)
      .limit(take)
      .toArray(),
    ...parts.map((part) => contentRequests.countDocuments(part, options)),
  ])
  const ids = found.map(({ _id }) => _id)
  const rows = await findByIds<RequestRow>(contentRequests, ids, REQUEST_FIELDS)
  return { rows, names: await findNames(deps, rows), total: counts.reduce((sum, count) => sum + count, 0) }
}
