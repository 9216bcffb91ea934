import type { Filter, Sort } from 'mongodb'
import type { Page } from '../../contract/pages.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'

/** Finds one page of comments with the votes of the viewer. */
export async function findCommentRows(
  { db }: Pick<CommentsDeps, 'db'>,
  filter: Filter<CommentDocument>,
  { sort, page, take, viewer }: Page & { sort: Sort; viewer: SessionUser | null },
): Promise<CommentRow[]> {
  return await db.comments
    .find<CommentRow>(filter, { projection: rowProjection(viewer) })
    .sort(sort)
    .skip((page - 1) * take)
    .limit(take)
    .toArray()
}
