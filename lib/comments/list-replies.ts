import { type Filter, ObjectId, type Sort } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentList } from '../contract/comments.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { Page } from '../contract/pages.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { DomainError } from '../errors.ts'
import { type CommentRow, readableStatus } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findCommentRows } from './find-comment-rows.ts'
import { commentsToWire } from './to-wire.ts'

const OLDEST_FIRST = { createdAt: 1, _id: 1 } as const
const NEWEST_FIRST = { createdAt: -1, _id: -1 } as const

interface RepliesInput extends Page {
  commentId: string
  /** The reply whose neighbours are listed, instead of a page. */
  around?: string | undefined
  viewer: SessionUser | null
}

type Deps = Pick<CommentsDeps, 'db' | 'commentCaches'>

/** Finds a reply with as many replies before it as after it, though it may itself be one that the viewer may not read. */
async function findAround(
  deps: Deps,
  readable: Filter<CommentDocument> & { parentId: ObjectId },
  { around, take, viewer }: { around: string } & Pick<RepliesInput, 'take' | 'viewer'>,
): Promise<CommentRow[]> {
  const _id = new ObjectId(around)
  const { parentId } = readable
  const reply = await deps.db.comments.findOne({ _id, parentId }, { projection: { createdAt: 1 } })
  if (reply === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)

  const { createdAt } = reply
  const earlier = { createdAt: { $lte: createdAt }, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: _id } }] }
  const later = { createdAt: { $gte: createdAt }, $or: [{ createdAt: { $gt: createdAt } }, { _id: { $gte: _id } }] }
  const takeEarlier = Math.floor((take - 1) / 2)
  const find = (filter: Filter<CommentDocument>, sort: Sort, count: number) =>
    findCommentRows(deps, { ...readable, ...filter }, { sort, page: 1, take: count, viewer })
  const [before, after] = await Promise.all([
    takeEarlier > 0 ? find(earlier, NEWEST_FIRST, takeEarlier) : [],
    find(later, OLDEST_FIRST, take - takeEarlier),
  ])
  return [...before.toReversed(), ...after]
}

/**
 * Lists the replies of a thread that the viewer may read, oldest first.
 * @throws DomainError NOT_FOUND
 */
export async function listReplies(
  deps: Deps,
  { commentId, page, take, around, viewer }: RepliesInput,
): Promise<CommentList> {
  const parentId = new ObjectId(commentId)
  const readable = { parentId, status: readableStatus(viewer) }

  const [thread, rows, total] = await Promise.all([
    deps.db.comments.findOne({ _id: parentId }, { projection: { userId: 1, status: 1 } }),
    around === undefined
      ? findCommentRows(deps, readable, { sort: OLDEST_FIRST, page, take, viewer })
      : findAround(deps, readable, { around, take, viewer }),
    deps.db.comments.countDocuments(readable),
  ])
  if (thread === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)

  return { results: await commentsToWire(deps, rows, viewer, { known: [thread] }), total }
}
