import { memoizeJson } from '../../base/values/memoize-json.ts'
import type { CommentList } from '../../contract/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { SessionUser } from '../auth/session-user.ts'
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

  const results = await commentsToWire(deps, page.rows, viewer, { known: page.answered })
  const list = memoizeJson({ results, total: page.total })
  // Its bytes were counted before its authors were known.
  const avatars = list.results.reduce((length, { author }) => length + (author?.avatar?.length ?? 0), 0)
  if (avatars <= AVATAR_MAX * page.rows.length) page.shown = { authorsVersion, list }
  return list
}

async function findOwnVotes(
  { db }: Pick<CommentsDeps, 'db'>,
  { rows, votes }: DiscussionPage,
  viewer: SessionUser,
): Promise<OwnVotes[]> {
  const isOwn = (voters: Buffer) => isVoter(voters, viewer._id)
  if (votes) return votes.map(({ liked, reported }) => ({ isLiked: isOwn(liked), isReported: isOwn(reported) }))
  const ids = rows.map(({ _id }) => _id)
  const found = await mapByIds<OwnVotes & Pick<CommentRow, '_id'>>(db.comments, ids, votesProjection(viewer))
  return ids.map((_id) => found.get(_id.toHexString()) ?? { isLiked: false, isReported: false })
}

/** Turns a page into what one viewer may see of it. */
export async function pageToWire(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  page: DiscussionPage,
  viewer: SessionUser | null,
): Promise<CommentList> {
  const list = await showPage(deps, page, viewer)
  if (viewer === null || (page.votes && !isVoter(page.voters, viewer._id))) return list

  const own = await findOwnVotes(deps, page, viewer)
  if (!own.some(({ isLiked, isReported }) => isLiked || isReported)) return list
  const results = list.results.map((comment, index) => {
    const { isLiked = false, isReported = false } = own[index] ?? {}
    return { ...comment, isLiked, isReported }
  })
  return { ...list, results }
}
