import { LRUCache } from 'lru-cache'
import type { ObjectId } from 'mongodb'
import type { CommentAuthor } from '../contract/comments.ts'

/** Where a comment stands: its top-level comment (itself, for one) and its game. Neither ever changes. */
export interface ThreadPlace {
  threadId: ObjectId
  gameId: ObjectId
}

export interface CommentCaches {
  /** By comment id. */
  places: LRUCache<string, ThreadPlace>
  /** By user id; `author` is null when the user is gone. */
  authors: LRUCache<string, { author: CommentAuthor | null }>
  /** Listed top-level comments, by game and role; each write of a game forgets its entries. */
  totals: LRUCache<string, { total: Promise<number> }>
}

const AUTHOR_TTL_MS = 1_000
/** Another instance may write, too. */
const TOTAL_TTL_MS = 5_000

export const createCommentCaches = (): CommentCaches => ({
  places: new LRUCache({ max: 10_000 }),
  authors: new LRUCache({ max: 10_000, ttl: AUTHOR_TTL_MS }),
  totals: new LRUCache({ max: 10_000, ttl: TOTAL_TTL_MS }),
})
