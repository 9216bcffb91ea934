import { JsonBytes } from '../../base/values/json-bytes.ts'
import type { CommentList } from '../../contract/comments.ts'
import { mapByIds } from '../../infrastructure/db/find-by-ids.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { type CommentRow, type OwnHeld, votesProjection } from './comment-row.ts'
import type { ShowDeps } from './deps.ts'
import type { DiscussionPage } from './discussion-page.ts'
import { commentsToWire } from './to-wire.ts'

type Votes = Pick<CommentRow, 'isLiked' | 'isReported'>

async function findVotes({ db }: ShowDeps, { rows, votes }: DiscussionPage, viewer: SessionUser): Promise<Votes[]> {
  const me = viewer._id.toHexString()
  if (votes)
    return votes.map(({ liked, reported }) => ({ isLiked: liked.includes(me), isReported: reported.includes(me) }))
  const ids = rows.map(({ _id }) => _id)
  const found = await mapByIds<Votes & Pick<CommentRow, '_id'>>(db.comments, ids, votesProjection(viewer))
  return ids.map((_id) => found.get(_id.toHexString()) ?? { isLiked: false, isReported: false })
}

interface Shown {
  gameId: string
  name: string
  viewer: SessionUser | null
  /** The comments of the viewer among them that wait: the page is then read and sent for this viewer alone. */
  held: readonly OwnHeld[]
}

/** Shows a page to a viewer: in the bytes that all share, or as a list with the viewer's own votes. */
export async function showPage(
  deps: ShowDeps,
  { gameId, name, viewer, held }: Shown,
  load: () => Promise<DiscussionPage>,
): Promise<CommentList | JsonBytes<CommentList>> {
  const { authors, pages, shown } = deps.commentCaches
  const key = `${name}:${viewer?.isAdmin ?? false}`
  const isOwn = held.length > 0
  // Everybody of a role shares an answer, which shows nothing that a single viewer may read.
  const reader = isOwn || viewer?.isAdmin ? viewer : null
  const show = async () => {
    const page = await (isOwn ? load() : pages.read(gameId, load, key))
    const results = await commentsToWire(deps, page.rows, reader, { loaded: page.repliedTo, held })
    return { page, answer: new JsonBytes({ results, total: page.total }) }
  }
  const { page, answer } = await (isOwn ? show() : shown.read(gameId, show, `${key}:${authors.version}`))
  if (viewer === null) return answer
  const votes = await findVotes(deps, page, viewer)
  if (!votes.some(({ isLiked, isReported }) => isLiked || isReported)) return answer
  const { results, total } = answer.value
  return { results: results.map((comment, index) => ({ ...comment, ...votes[index] })), total }
}
