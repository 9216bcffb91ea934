import type { LRUCache } from 'lru-cache'
import type { ObjectId } from 'mongodb'
import type { CommentAuthor } from '../contract/comments.ts'
import type { ExactCache } from '../events/exact-cache.ts'
import type { Feed } from '../events/feed.ts'
import { createBoundedCache } from '../values/bounded-cache.ts'
import { type DiscussionPage, pageBytes } from './discussion-page.ts'

/** A comment's top-level comment (its own, for one) and its game; neither ever changes. */
export interface ThreadRef {
  threadId: ObjectId
  gameId: ObjectId
}

export interface CommentCaches {
  /** Keyed by comment id. */
  threadRefs: LRUCache<string, ThreadRef>
  /** Keyed by user id; `author` is null when the user is gone. */
  authors: ExactCache<{ author: CommentAuthor | null }>
  /** Numbers of listed top-level comments, by game and whether an admin reads. */
  totals: ExactCache<{ total: number }>
  /** Pages of discussions, by game, sort, page, take and whether an admin reads. */
  pages: ExactCache<DiscussionPage>
}

const MB = 1024 * 1024

export const createCommentCaches = ({ createCache }: Pick<Feed, 'createCache'>): CommentCaches => ({
  threadRefs: createBoundedCache({ entries: 50_000 }),
  authors: createCache({ maxBytes: 8 * MB, sizeOf: ({ author }) => 200 + 2 * (author?.avatar?.length ?? 0) }),
  totals: createCache({ maxBytes: 4 * MB, sizeOf: () => 20 }),
  pages: createCache({ maxBytes: 64 * MB, sizeOf: pageBytes }),
})

type Caches = { commentCaches: Pick<CommentCaches, 'pages' | 'totals'> }

/** Forgets the cached pages of a game's discussion; called after each change that a comment shows. */
export function dropPages({ commentCaches: { pages } }: Caches, gameId: ObjectId): void {
  pages.drop(gameId.toHexString())
}

/** The same, with how many comments are listed. */
export function dropDiscussion(deps: Caches, gameId: ObjectId): void {
  dropPages(deps, gameId)
  deps.commentCaches.totals.drop(gameId.toHexString())
}
