import { type Document, ObjectId, type Sort } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { CommentList, CommentSort } from '../contract/comments.ts'
import type { Page } from '../contract/pages.ts'
import { THREADS_BEST_FIRST, THREADS_BY_STATUS, THREADS_NEWEST_FIRST } from '../db/collections/comments.ts'
import { type CommentRow, listedTo, readableStatus, rowProjection, unreadableStatus } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { type DiscussionPage, packVoters } from './discussion-page.ts'
import { pageToWire } from './page-to-wire.ts'

const SORTS = {
  top: { sort: { likesCount: -1, createdAt: -1, _id: -1 }, hint: THREADS_BEST_FIRST },
  new: { sort: { createdAt: -1, _id: -1 }, hint: THREADS_NEWEST_FIRST },
} as const satisfies Record<CommentSort, { sort: Sort; hint: Document }>

/** Voters of a comment that are read and kept with a page. */
const KEPT_VOTERS_MAX = 200

const isKept = { $lte: [{ $add: ['$likesCount', '$reportsCount'] }, KEPT_VOTERS_MAX] }
const VOTERS = {
  likedBy: { $cond: [isKept, '$likedBy', null] },
  reportedBy: { $cond: [isKept, '$reportedBy', null] },
}

interface ListDiscussionInput extends Page {
  gameId: string
  sort: CommentSort
  viewer: SessionUser | null
}

type VotedRow = CommentRow & { likedBy: unknown; reportedBy: unknown }

/** Counts the listed threads of a game in two ranges of one index: readable ones, and others that have replies. */
async function countListed({ db: { comments } }: CommentsDeps, gameId: ObjectId, viewer: SessionUser | null) {
  const thread = { gameId, parentId: null }
  const options = { hint: THREADS_BY_STATUS, maxTimeMS: MAX_TIME_MS }
  const [readable, others] = await Promise.all([
    comments.countDocuments({ ...thread, status: readableStatus(viewer) }, options),
    comments.countDocuments({ ...thread, status: unreadableStatus(viewer), repliesCount: { $gt: 0 } }, options),
  ])
  return readable + others
}

const toVotes = ({ likedBy, reportedBy }: VotedRow) =>
  likedBy === null || reportedBy === null ? [] : [{ liked: packVoters(likedBy), reported: packVoters(reportedBy) }]

async function loadPage(
  deps: CommentsDeps,
  { gameId: game, sort, page, take, viewer }: ListDiscussionInput,
): Promise<DiscussionPage> {
  const gameId = new ObjectId(game)
  const order = SORTS[sort]
  const [found, { total }] = await Promise.all([
    deps.db.comments
      .find<VotedRow>(
        { gameId, parentId: null, ...listedTo(viewer) },
        // Left alone, the planner tries each index to thousands of keys.
        { projection: { ...rowProjection(null), ...VOTERS }, hint: order.hint, maxTimeMS: MAX_TIME_MS },
      )
      .sort(order.sort)
      .skip((page - 1) * take)
      .limit(take)
      .toArray(),
    deps.commentCaches.totals.read(`${game}:${viewer?.isAdmin ?? false}`, async () => ({
      total: await countListed(deps, gameId, viewer),
    })),
  ])
  const read = found.flatMap(toVotes)
  const votes = read.length === found.length ? read : null
  return {
    total,
    rows: found.map(({ likedBy: _likedBy, reportedBy: _reportedBy, ...row }) => row),
    votes,
    voters: Buffer.concat((votes ?? []).flatMap(({ liked, reported }) => [liked, reported])),
    shown: null,
  }
}

/** Lists the top-level comments of a game that the viewer may read, or that have visible replies. */
export async function listDiscussion(deps: CommentsDeps, input: ListDiscussionInput): Promise<CommentList> {
  const { gameId, sort, page, take, viewer } = input
  const key = `${gameId}:${sort}:${page}:${take}:${viewer?.isAdmin ?? false}`
  const found = await deps.commentCaches.pages.read(key, () => loadPage(deps, input))
  return pageToWire(deps, found, viewer)
}
