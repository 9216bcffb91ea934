import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentList } from '../contract/comments.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Page } from '../contract/pages.ts'
import { DomainError } from '../errors.ts'
import { readableStatus } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findCommentRows } from './find-comment-rows.ts'
import { commentsToWire } from './to-wire.ts'

/**
 * Lists the replies of a thread that the viewer may read, oldest first.
 * @throws DomainError NOT_FOUND
 */
export async function listReplies(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  { commentId, page, take, viewer }: Page & { commentId: string; viewer: SessionUser | null },
): Promise<CommentList> {
  const parentId = new ObjectId(commentId)
  const readable = { parentId, status: readableStatus(viewer) }

  const [thread, rows, total] = await Promise.all([
    deps.db.comments.findOne({ _id: parentId }, { projection: { userId: 1, status: 1 } }),
    findCommentRows(deps, readable, { sort: { createdAt: 1, _id: 1 }, page, take, viewer }),
    deps.db.comments.countDocuments(readable),
  ])
  if (thread === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)

  return { results: await commentsToWire(deps, rows, viewer, { known: [thread] }), total }
}
