import type { ObjectId } from 'mongodb'
import { createBoundedCache } from '../../base/values/bounded-cache.ts'
import type { CommentAuthor } from '../../contract/comments.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'
import type { OwnHeld } from './comment-row.ts'
import { pageBytes, shownBytes } from './discussion-page.ts'

/** The top-level comment of a thread, and its game. Neither ever changes. A top-level comment is its own thread. */
export interface ThreadRef {
  threadId: ObjectId
  gameId: ObjectId
}

export type CommentCaches = ReturnType<typeof createCommentCaches>

const MB = 1024 * 1024

/** Creates the caches of what discussions show. A cache that belongs to a game is in one of the two groups. */
export function createCommentCaches({ createCache }: Pick<Feed, 'createCache'>) {
  /** Dropped by each change of a shown comment. */
  const ofPages = {
    /** Pages of discussions and of replies, by sort or thread, page, take and whether an admin reads. */
    pages: createCache({ maxBytes: 24 * MB, sizeOf: pageBytes }),
    /** Pages as they are sent, by the same and the version of the authors. */
    shown: createCache({ maxBytes: 40 * MB, sizeOf: shownBytes }),
  }
  /** Dropped by a change of which comments are listed. */
  const ofLists = {
    /** Numbers of listed top-level comments, by whether an admin reads. */
    totals: createCache({ maxBytes: 4 * MB, sizeOf: (_total: { total: number }) => 20 }),
    held: createCache({ maxBytes: 4 * MB, sizeOf: ({ length }: OwnHeld[]) => 200 * length }),
  }
  const all = [...Object.values(ofPages), ...Object.values(ofLists)]
  return {
    ...ofPages,
    ...ofLists,
    threadRefs: createBoundedCache<ThreadRef>({ entries: 50_000 }),
    /** Keyed by user id; `author` is null when the user is gone. */
    authors: createCache({
      maxBytes: 8 * MB,
      sizeOf: ({ author }: { author: CommentAuthor | null }) => 200 + 2 * (author?.avatar?.length ?? 0),
    }),
    dropPages(gameId: ObjectId): void {
      for (const cache of Object.values(ofPages)) cache.drop(gameId.toHexString())
    },
    dropDiscussion(gameId: ObjectId): void {
      for (const cache of all) cache.drop(gameId.toHexString())
    },
    clearDiscussions(): void {
      for (const cache of all) cache.clear()
    },
  }
}
