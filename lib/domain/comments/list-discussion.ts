import { ObjectId } from 'mongodb'
import type { CommentSort } from '../../contract/comments.ts'
import type { Page } from '../../contract/pages.ts'
import {
  THREADS_BEST_FIRST,
  THREADS_BY_STATUS,
  THREADS_NEWEST_FIRST,
} from '../../infrastructure/db/collections/comments.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { listedTo, type OwnHeld, readableStatus, unreadableStatus } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { findOwnHeld } from './held.ts'
import { readRows, toPage } from './read-page.ts'
import { showPage } from './show-page.ts'

const INDEXES = { top: THREADS_BEST_FIRST, new: THREADS_NEWEST_FIRST } as const satisfies Record<CommentSort, object>

interface ListDiscussionInput extends Page {
  gameId: string
  sort: CommentSort
  after?: string | undefined
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
  { gameId: game, sort, page, take, after, viewer }: ListDiscussionInput,
  held: readonly OwnHeld[],
) {
  const gameId = new ObjectId(game)
  const readers = viewer?.isAdmin ? 'admins' : 'users'
  const filter = { gameId, parentId: null, ...listedTo(viewer, { withHeld: held.length > 0 }) }
  const [found, { total }] = await Promise.all([
    readRows(deps, filter, { index: INDEXES[sort], isReversed: false, page, take, after }),
    deps.commentCaches.totals.read(game, async () => ({ total: await countListed(deps, gameId, viewer) }), readers),
  ])
  // A held thread with replies is in the total already, because everybody sees its place.
  const uncounted = held.filter(({ parentId, repliesCount }) => parentId === null && !(repliesCount > 0))
  return toPage(found, { total: total + uncounted.length })
}

/** Lists the top-level comments of a game that the viewer may read, or that have visible replies. */
export async function listDiscussion(deps: CommentsDeps, input: ListDiscussionInput) {
  const { gameId, sort, page, take, after = page, viewer } = input
  const held = await findOwnHeld(deps, new ObjectId(gameId), viewer)
  const shown = { gameId, name: `${sort}:${after}:${take}`, viewer, held }
  return await showPage(deps, shown, () => loadPage(deps, input, held))
}
