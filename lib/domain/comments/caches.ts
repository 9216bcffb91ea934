import type { LRUCache } from 'lru-cache'
import type { ObjectId } from 'mongodb'
import { createBoundedCache } from '../../base/values/bounded-cache.ts'
import type { CommentAuthor } from '../../contract/comments.ts'
import type { ExactCache } from '../../infrastructure/events/exact-cache.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'
import type { OwnHeld } from './comment-row.ts'
import { type DiscussionPage, pageBytes, type ShownPage, shownBytes } from './discussion-page.ts'

/** The top-level comment of a thread, and its game. Neither ever changes. A top-level comment is its own thread. */
export interface ThreadRef {
  threadId: ObjectId
  gameId: ObjectId
}

/** Caches of what discussions show, by the id of the game. */
interface DiscussionCaches {
  /** Numbers of listed top-level comments, by whether an admin reads. */
  totals: ExactCache<{ total: number }>
  /** Comments that wait for a moderator. */
  held: ExactCache<OwnHeld[]>
  /** Pages of discussions and of replies, by sort or thread, page, take and whether an admin reads. */
  pages: ExactCache<DiscussionPage>
  /** Pages as they are sent, by the same and the version of the authors. */
  shown: ExactCache<ShownPage>
}

export interface CommentCaches extends DiscussionCaches {
  threadRefs: LRUCache<string, ThreadRef>
  /** Keyed by user id; `author` is null when the user is gone. */
  authors: ExactCache<{ author: CommentAuthor | null }>
}

const MB = 1024 * 1024

export const createCommentCaches = ({ createCache }: Pick<Feed, 'createCache'>): CommentCaches => ({
  threadRefs: createBoundedCache({ entries: 50_000 }),
  authors: createCache({ maxBytes: 8 * MB, sizeOf: ({ author }) => 200 + 2 * (author?.avatar?.length ?? 0) }),
  totals: createCache({ maxBytes: 4 * MB, sizeOf: () => 20 }),
  held: createCache({ maxBytes: 4 * MB, sizeOf: ({ length }) => 200 * length }),
  pages: createCache({ maxBytes: 24 * MB, sizeOf: pageBytes }),
  shown: createCache({ maxBytes: 40 * MB, sizeOf: shownBytes }),
})

type Caches = { commentCaches: DiscussionCaches }

interface Dropped {
  cache: Pick<ExactCache<object>, 'drop' | 'clear'>
  /** True when the cache is dropped only by a change of which comments are listed. */
  isOfList: boolean
}

/** Lists every cache of discussions. A missing one does not compile. */
const listCaches = ({ commentCaches: { pages, shown, totals, held } }: Caches): Dropped[] =>
  Object.values({
    pages: { cache: pages, isOfList: false },
    shown: { cache: shown, isOfList: false },
    totals: { cache: totals, isOfList: true },
    held: { cache: held, isOfList: true },
  } satisfies Record<keyof DiscussionCaches, Dropped>)

/** Drops the pages of a game; called after each change of a shown comment. */
export function dropPages(deps: Caches, gameId: ObjectId): void {
  for (const { cache, isOfList } of listCaches(deps)) if (!isOfList) cache.drop(gameId.toHexString())
}

export function dropDiscussion(deps: Caches, gameId: ObjectId): void {
  for (const { cache } of listCaches(deps)) cache.drop(gameId.toHexString())
}

export function clearDiscussions(deps: Caches): void {
  for (const { cache } of listCaches(deps)) cache.clear()
}
