import { ObjectId } from 'mongodb'
import { type AllCommentsQuery, type CommentList, CommentStatus } from '../../contract/comments.ts'
import type { Page } from '../../contract/pages.ts'
import { BY_AUTHOR_AND_STATUS, NEWEST_FIRST } from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import type { ShowDeps } from './deps.ts'
import { findCommentRows } from './read-page.ts'
import { commentsToWire } from './to-wire.ts'

/** Lists the comments of all games for an admin, or those of one author, newest first. */
export async function listComments(
  deps: ShowDeps,
  { status, userId, page, take, viewer }: AllCommentsQuery & { viewer: SessionUser },
): Promise<CommentList> {
  const hint = userId === undefined ? NEWEST_FIRST : BY_AUTHOR_AND_STATUS
  const filter = { ...(userId !== undefined && { userId: new ObjectId(userId) }), ...(status && { status }) }
  // Every status by name: one index is merged in the order of all.
  const merged = { ...filter, status: { $in: status === undefined ? CommentStatus.options : [status] } }
  const [rows, total] = await Promise.all([
    findCommentRows(deps, merged, { sort: { createdAt: -1, _id: -1 }, hint, page, take, viewer }),
    // One range of an index is counted without a look at its keys.
    Object.keys(filter).length === 0
      ? deps.db.comments.estimatedDocumentCount()
      : deps.db.comments.countDocuments(filter, { hint }),
  ])
  return { results: await commentsToWire(deps, rows, viewer), total }
}

const REPORTED = { status: 'visible', reportsCount: { $gt: 0 } } as const

/** Lists visible comments with reports, most first. */
export async function listReported(deps: ShowDeps, { page, take, viewer }: Page & { viewer: SessionUser }) {
  const [rows, total] = await Promise.all([
    findCommentRows(deps, REPORTED, { sort: { reportsCount: -1, _id: -1 }, page, take, viewer }),
    deps.db.comments.countDocuments(REPORTED),
  ])
  return { results: await commentsToWire(deps, rows, viewer), total }
}
