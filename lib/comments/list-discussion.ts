import { type Filter, ObjectId, type Sort } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentList, CommentSort } from '../contract/comments.ts'
import type { Page } from '../contract/pages.ts'
import type { CommentDocument } from '../db/collections/comments.ts'
import { type CommentRow, listedTo, rowProjection } from './comment-row.ts'
import type { CommentsDeps } from './deps.ts'
import type { DiscussionPage } from './discussion-page.ts'
import { pageToWire } from './page-to-wire.ts'
import { packVoters } from './voters.ts'

const SORTS = {
  top: { likesCount: -1, createdAt: -1, _id: -1 },
  new: { createdAt: -1, _id: -1 },
} as const satisfies Record<CommentSort, Sort>

interface ListDiscussionInput extends Page {
  gameId: string
  sort: CommentSort
  viewer: SessionUser | null
}

type ListDiscussionDeps = Pick<CommentsDeps, 'db' | 'commentCaches'>
type VotedRow = CommentRow & Pick<CommentDocument, 'likedBy' | 'reportedBy'>

function toRole(viewer: SessionUser | null): 'guest' | 'user' | 'admin' {
  if (viewer === null) return 'guest'
  return viewer.isAdmin ? 'admin' : 'user'
}

async function loadPage(
  { db: { comments }, commentCaches: { totals } }: ListDiscussionDeps,
  { gameId: game, sort, page, take, viewer }: ListDiscussionInput,
): Promise<DiscussionPage> {
  const listed: Filter<CommentDocument> = {
    gameId: new ObjectId(game),
    parentId: null,
    ...listedTo(viewer),
  }
  const [found, { total }] = await Promise.all([
    comments
      .find<VotedRow>(listed, { projection: { ...rowProjection(null), ...(viewer && { likedBy: 1, reportedBy: 1 }) } })
      .sort(SORTS[sort])
      .skip((page - 1) * take)
      .limit(take)
      .toArray(),
    totals.read(`${game}:${viewer?.isAdmin ?? false}`, async () => ({ total: await comments.countDocuments(listed) })),
  ])
  return {
    total,
    rows: found.map(({ likedBy: _likedBy, reportedBy: _reportedBy, ...row }) => row),
    votes: viewer
      ? found.map(({ likedBy, reportedBy }) => ({ liked: packVoters(likedBy), reported: packVoters(reportedBy) }))
      : [],
    shown: null,
  }
}

/** Lists the top-level comments of a game that the viewer may read, or that have visible replies. */
export async function listDiscussion(deps: ListDiscussionDeps, input: ListDiscussionInput): Promise<CommentList> {
  const { gameId, sort, page, take, viewer } = input
  const key = `${gameId}:${sort}:${page}:${take}:${toRole(viewer)}`
  const found = await deps.commentCaches.pages.read(key, () => loadPage(deps, input))
  return pageToWire(deps, found, viewer)
}
