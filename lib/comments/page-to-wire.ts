import type { SessionUser } from '../auth/session-user.ts'
import type { CommentList } from '../contract/comments.ts'
import { keepJson } from '../values/kept-json.ts'
import type { CommentsDeps } from './deps.ts'
import { AVATAR_MAX, type DiscussionPage } from './discussion-page.ts'
import { commentsToWire } from './to-wire.ts'
import { isVoter } from './voters.ts'

async function showPage(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  page: DiscussionPage,
  viewer: SessionUser | null,
): Promise<CommentList> {
  const { authors } = deps.commentCaches
  const authorsVersion = authors.version
  if (page.shown?.authorsVersion === authorsVersion) return page.shown.list

  const list = keepJson({ results: await commentsToWire(deps, page.rows, viewer), total: page.total })
  // Its bytes were counted before its authors were known.
  const avatars = list.results.reduce((length, { author }) => length + (author?.avatar?.length ?? 0), 0)
  if (avatars <= AVATAR_MAX * page.rows.length) page.shown = { authorsVersion, list }
  return list
}

/** Turns a page into what one viewer may see of it. */
export async function pageToWire(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  page: DiscussionPage,
  viewer: SessionUser | null,
): Promise<CommentList> {
  const list = await showPage(deps, page, viewer)
  if (viewer === null) return list

  const flags = page.votes.map(({ liked, reported }) => ({
    isLiked: isVoter(liked, viewer._id),
    isReported: isVoter(reported, viewer._id),
  }))
  if (!flags.some(({ isLiked, isReported }) => isLiked || isReported)) return list
  return { ...list, results: list.results.map((comment, index) => ({ ...comment, ...flags[index] })) }
}
