import { LRUCache } from 'lru-cache'
import type { ObjectId } from 'mongodb'
import type { CommentAuthor } from '../contract/comments.ts'

export interface CommentCaches {
  /** The id of a comment's top-level comment (its own, for one), by comment id; it never changes. */
  threads: LRUCache<string, ObjectId>
  /** By user id; `author` is null when the user is gone. */
  authors: LRUCache<string, { author: CommentAuthor | null }>
  /** Listed top-level comments, by game and role; each write of a game forgets its entries. */
  totals: LRUCache<string, { total: Promise<number> }>
}

const AUTHOR_TTL_MS = 1_000
/** Another instance may write, too. */
const TOTAL_TTL_MS = 5_000
/** The clock is read once in so long, not at each look-up. */
const TTL_RESOLUTION_MS = 100

export const createCommentCaches = (): CommentCaches => ({
  threads: new LRUCache({ max: 10_000 }),
  authors: new LRUCache({ max: 10_000, ttl: AUTHOR_TTL_MS, ttlResolution: TTL_RESOLUTION_MS }),
  totals: new LRUCache({ max: 10_000, ttl: TOTAL_TTL_MS, ttlResolution: TTL_RESOLUTION_MS }),
})
