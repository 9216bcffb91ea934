import type { Filter } from 'mongodb'
import type { CommentList } from '../../contract/comments.ts'
import type { Page } from '../../contract/pages.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentsDeps } from './deps.ts'
import { findCommentRows } from './read-page.ts'
import { commentsToWire } from './to-wire.ts'

const REPORTED: Filter<CommentDocument> = { status: 'visible', reportsCount: { $gt: 0 } }

/** Lists visible comments with reports, most first. */
export async function listReported(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches' | 'storage'>,
  { page, take, viewer }: Page & { viewer: SessionUser },
): Promise<CommentList> {
  const [rows, total] = await Promise.all([
    findCommentRows(deps, REPORTED, { sort: { reportsCount: -1, _id: -1 }, page, take, viewer }),
    deps.db.comments.countDocuments(REPORTED),
  ])
  return { results: await commentsToWire(deps, rows, viewer), total }
}
