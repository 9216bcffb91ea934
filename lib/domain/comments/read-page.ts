import { type Document, type Filter, MaxKey, MinKey, ObjectId, type Sort } from 'mongodb'
import type { Page } from '../../contract/pages.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { countIn } from '../../infrastructure/db/expressions.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { type CommentRow, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { type DiscussionPage, packVoters } from './discussion-page.ts'

/** How many voters of a comment are read and cached with a page. */
const KEPT_VOTERS_MAX = 200

const isKept = { $lte: [{ $add: [countIn('$likesCount'), countIn('$reportsCount')] }, KEPT_VOTERS_MAX] }
const VOTERS = {
  likedBy: { $cond: [isKept, '$likedBy', null] },
  reportedBy: { $cond: [isKept, '$reportedBy', null] },
}

export type VotedRow = CommentRow & { likedBy: unknown; reportedBy: unknown }

/** The game and the thread of listed comments; null for the top-level ones. */
type Thread = Pick<CommentDocument, 'gameId' | 'parentId'>

interface ListOrder {
  index: Record<string, 1 | -1>
  /** True when the list is the index read from its end. */
  isReversed: boolean
}

interface RowsInput extends ListOrder, Partial<Page> {
  take: number
  after?: string | undefined
}

/** Bounds a list to the keys behind `after`. The index bounds of a filter would begin at the first of equal likes. */
function keysBehind({ index, isReversed }: ListOrder, { gameId, parentId }: Thread, after: string) {
  const [likesCount, createdAt = '', id] = after.split('_')
  const thread = { gameId, parentId }
  const row = { ...thread, likesCount: Number(likesCount), createdAt: new Date(createdAt), _id: new ObjectId(id) }
  const toKey = (values: Document, other: MinKey | MaxKey) =>
    Object.fromEntries(Object.keys(index).map((field) => [field, field in values ? values[field] : other]))
  // The larger values stand first, and `max` is not among what is read.
  return isReversed
    ? { min: toKey(thread, new MaxKey()), max: toKey(row, new MinKey()) }
    : { min: toKey(row, new MaxKey()), max: toKey(thread, new MinKey()) }
}

/** Reads comments of one thread with their voters, for whoever may read them. */
export async function readRows(
  { db }: Pick<CommentsDeps, 'db'>,
  filter: Filter<CommentDocument> & Thread,
  { page = 1, take, after, ...order }: RowsInput,
): Promise<VotedRow[]> {
  const sort = Object.entries(order.index).map(([field, direction]): [string, 1 | -1] => {
    const isDescending = (direction === -1) !== order.isReversed
    return [field, isDescending ? -1 : 1]
  })
  return await db.comments
    .find<VotedRow>(filter, {
      projection: { ...rowProjection(null), ...VOTERS },
      // Without a hint, the planner tries each index for thousands of keys.
      hint: order.index,
      ...(after !== undefined && keysBehind(order, filter, after)),
    })
    .sort(sort)
    .skip(after === undefined ? (page - 1) * take : 0)
    .limit(take)
    .toArray()
}

const toVotes = ({ likedBy, reportedBy }: VotedRow) =>
  likedBy === null || reportedBy === null ? [] : [{ liked: packVoters(likedBy), reported: packVoters(reportedBy) }]

export function toPage(
  found: readonly VotedRow[],
  { total, repliedTo = [] }: Pick<DiscussionPage, 'total'> & Partial<Pick<DiscussionPage, 'repliedTo'>>,
): DiscussionPage {
  const votes = found.flatMap(toVotes)
  const rows = found.map(({ likedBy: _likedBy, reportedBy: _reportedBy, ...row }) => row)
  return { total, rows, votes: votes.length === found.length ? votes : null, repliedTo }
}

/** Finds one page of comments with the votes of the viewer. */
export async function findCommentRows(
  { db }: Pick<CommentsDeps, 'db'>,
  filter: Filter<CommentDocument>,
  { sort, hint, page, take, viewer }: Page & { sort: Sort; hint?: Document; viewer: SessionUser | null },
): Promise<CommentRow[]> {
  return await db.comments
    .find<CommentRow>(filter, { projection: rowProjection(viewer), ...(hint && { hint }) })
    .sort(sort)
    .skip((page - 1) * take)
    .limit(take)
    .toArray()
}
