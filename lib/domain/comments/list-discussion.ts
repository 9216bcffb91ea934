import { type Document, ObjectId, type Sort } from 'mongodb'
import type { CommentList, CommentSort } from '../../contract/comments.ts'
import type { Page } from '../../contract/pages.ts'
import {
  THREADS_BEST_FIRST,
  THREADS_BY_STATUS,
  THREADS_NEWEST_FIRST,
} from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { listedTo, readableStatus, unreadableStatus } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import type { DiscussionPage } from './discussion-page.ts'
import { pageToWire } from './page-to-wire.ts'
import { readRows, toPage } from './read-page.ts'

const SORTS = {
  top: { sort: { likesCount: -1, createdAt: -1, _id: -1 }, hint: THREADS_BEST_FIRST },
  new: { sort: { createdAt: -1, _id: -1 }, hint: THREADS_NEWEST_FIRST },
} as const satisfies Record<CommentSort, { sort: Sort; hint: Document }>

interface ListDiscussionInput extends Page {
  gameId: string
  sort: CommentSort
  viewer: SessionUser | null
}

/** Counts the listed threads of a game in two ranges of one index: readable ones, and others that have replies. */
async function countListed({ db: { comments } }: CommentsDeps, gameId: ObjectId, viewer: SessionUser | null) {
  const thread = { gameId, parentId: null }
  const options = { hint: THREADS_BY_STATUS }
  const [readable, others] = await Promise.all([
    comments.countDocuments({ ...thread, status: readableStatus(viewer) }, options),
    comments.countDocuments({ ...thread, status: unreadableStatus(viewer), repliesCount: { $gt: 0 } }, options),
  ])
  return readable + others
}

async function loadPage(
  deps: CommentsDeps,
  { gameId: game, sort, page, take, viewer }: ListDiscussionInput,
): Promise<DiscussionPage> {
  const gameId = new ObjectId(game)
  const filter = { gameId, parentId: null, ...listedTo(viewer) }
  const [found, { total }] = await Promise.all([
    readRows(deps, filter, { ...SORTS[sort], page, take }),
    deps.commentCaches.totals.read(`${game}:${viewer?.isAdmin ?? false}`, async () => ({
      total: await countListed(deps, gameId, viewer),
    })),
  ])
  return toPage(found, { total })
}

/** Lists the top-level comments of a game that the viewer may read, or that have visible replies. */
export async function listDiscussion(deps: CommentsDeps, input: ListDiscussionInput): Promise<CommentList> {
  const { gameId, sort, page, take, viewer } = input
  const key = `${gameId}:${sort}:${page}:${take}:${viewer?.isAdmin ?? false}`
  const found = await deps.commentCaches.pages.read(key, () => loadPage(deps, input))
  return pageToWire(deps, found, viewer)
}
