import type { SessionUser } from '../auth/session-user.ts'
import type { CommentList } from '../contract/comments.ts'
import { mapByIds } from '../db/find-by-ids.ts'
import { memoizeJson } from '../values/memoize-json.ts'
import { type CommentRow, votesProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import { AVATAR_MAX, type DiscussionPage, isVoter } from './discussion-page.ts'
import { commentsToWire } from './to-wire.ts'

type OwnVotes = Pick<CommentRow, 'isLiked' | 'isReported'>

async function showPage(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  page: DiscussionPage,
  viewer: SessionUser | null,
): Promise<CommentList> {
  const { authors } = deps.commentCaches
  const authorsVersion = authors.version
  if (page.shown?.authorsVersion === authorsVersion) return page.shown.list

  const list = memoizeJson({ results: await commentsToWire(deps, page.rows, viewer), total: page.total })
  // Its bytes were counted before its authors were known.
  const avatars = list.results.reduce((length, { author }) => length + (author?.avatar?.length ?? 0), 0)
  if (avatars <= AVATAR_MAX * page.rows.length) page.shown = { authorsVersion, list }
  return list
}

/** Asks for the viewer's own votes on the rows whose voters the page does not hold. */
async function findLongVotes(
  { db }: Pick<CommentsDeps, 'db'>,
  { rows, votes }: DiscussionPage,
  viewer: SessionUser,
): Promise<ReadonlyMap<string, OwnVotes>> {
  const ids = rows.flatMap(({ _id }, index) => (votes[index] === null ? [_id] : []))
  return await mapByIds<OwnVotes & Pick<CommentRow, '_id'>>(db.comments, ids, votesProjection(viewer))
}

/** Turns a page into what one viewer may see of it. */
export async function pageToWire(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  page: DiscussionPage,
  viewer: SessionUser | null,
): Promise<CommentList> {
  const list = await showPage(deps, page, viewer)
  if (viewer === null) return list

  const long = await findLongVotes(deps, page, viewer)
  const flags = page.rows.map(({ _id }, index): OwnVotes => {
    const kept = page.votes[index]
    if (kept) return { isLiked: isVoter(kept.liked, viewer._id), isReported: isVoter(kept.reported, viewer._id) }
    const { isLiked = false, isReported = false } = long.get(_id.toHexString()) ?? {}
    return { isLiked, isReported }
  })
  if (!flags.some(({ isLiked, isReported }) => isLiked || isReported)) return list
  return { ...list, results: list.results.map((comment, index) => ({ ...comment, ...flags[index] })) }
}
