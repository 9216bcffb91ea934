import { ObjectId } from 'mongodb'
import { type AllCommentsQuery, type CommentList, CommentStatus } from '../../contract/comments.ts'
import { BY_AUTHOR_AND_STATUS, NEWEST_FIRST } from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { commentsToWire } from './to-wire.ts'

/** Lists the comments of all games for an admin, or those of one author, newest first. */
export async function listComments(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches' | 'storage'>,
  { status, userId, page, take, viewer }: AllCommentsQuery & { viewer: SessionUser },
): Promise<CommentList> {
  const hint = userId === undefined ? NEWEST_FIRST : BY_AUTHOR_AND_STATUS
  const filter = { ...(userId !== undefined && { userId: new ObjectId(userId) }), ...(status && { status }) }
  // Every status by name: one index is merged in the order of all.
  const merged = { ...filter, status: { $in: status === undefined ? CommentStatus.options : [status] } }
  const [rows, total] = await Promise.all([
    deps.db.comments
      .find<CommentRow>(merged, { hint, projection: rowProjection(viewer) })
      .sort({ createdAt: -1, _id: -1 })
      .skip((page - 1) * take)
      .limit(take)
      .toArray(),
    // One range of an index is counted without a look at its keys.
    Object.keys(filter).length === 0
      ? deps.db.comments.estimatedDocumentCount()
      : deps.db.comments.countDocuments(filter, { hint }),
  ])
  return { results: await commentsToWire(deps, rows, viewer), total }
}
