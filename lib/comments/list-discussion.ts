import { type Filter, ObjectId, type Sort } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentList, CommentSort } from '../contract/comments.ts'
import type { Page } from '../contract/pages.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { readableStatus } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findPage } from './find-page.ts'
import { commentsToWire } from './to-wire.ts'
import { rememberTotal } from './totals.ts'

const SORTS = {
  top: { likesCount: -1, createdAt: -1, _id: -1 },
  new: { createdAt: -1, _id: -1 },
} as const satisfies Record<CommentSort, Sort>

/** Lists the top-level comments of a game that the viewer may read, or that have visible replies. */
export async function listDiscussion(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  { gameId: game, sort, page, take, viewer }: Page & { gameId: string; sort: CommentSort; viewer: SessionUser | null },
): Promise<CommentList> {
  const { comments } = deps.db
  const gameId = new ObjectId(game)
  const listed: Filter<CommentDocument> = {
    gameId,
    parentId: null,
    $or: [{ status: readableStatus(viewer) }, { repliesCount: { $gt: 0 } }],
  }
  const [rows, total] = await Promise.all([
    findPage(deps, { filter: listed, sort: SORTS[sort], page, take, viewer }),
    rememberTotal(deps, { gameId, isAdmin: viewer?.isAdmin ?? false }, () => comments.countDocuments(listed)),
  ])
  return { results: await commentsToWire(deps, rows, viewer), total }
}
