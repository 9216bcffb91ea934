import type { ObjectId } from 'mongodb'
import type { CommentStatus } from '../../contract/comments.ts'
import type { CollectionFacts } from './collection-facts.ts'

export interface CommentDocument {
  _id: ObjectId
  gameId: ObjectId
  userId: ObjectId
  /** The thread's top-level comment; null for one itself. */
  parentId: ObjectId | null
  /** The comment answered directly. */
  replyToId: ObjectId | null
  /** Sanitized rich text; empty once deleted. */
  body: string
  isSpoiler: boolean
  likesCount: number
  likedBy?: ObjectId[]
  /** Visible replies. */
  repliesCount: number
  reportsCount: number
  reportedBy?: ObjectId[]
  status: CommentStatus
  createdAt: Date
  updatedAt: Date
  /** Stamped by each change that a reply's thread has to count; a reply without one counts by its own id. */
  visibilityChange?: ObjectId
  /**
   * Changes of replies that `repliesCount` has, the last 32: the ids of new ones, the stamps of hidden, shown and
   * deleted ones.
   */
  countedChanges?: ObjectId[]
  /** Grows with each announced change. */
  rev?: number
  /** The last announcement, for the change stream only; see `events/announcement.ts`. */
  said?: string
  /** Who made the last write, for the change stream only; see `events/sent-by.ts`. */
  sentBy?: string
}

/** Lists the newest comments of all games; the game is in it, so that they are counted without their documents. */
export const NEWEST_FIRST = { status: 1, createdAt: -1, _id: -1, gameId: 1 } as const

export const comments: CollectionFacts<CommentDocument> = {
  name: 'comments',
  indexes: [
    { key: { gameId: 1, parentId: 1, likesCount: -1, createdAt: -1, _id: -1, status: 1, repliesCount: 1 } },
    { key: { gameId: 1, parentId: 1, createdAt: -1, _id: -1, status: 1, repliesCount: 1 } },
    { key: { parentId: 1, createdAt: 1, _id: 1, status: 1 } },
    { key: NEWEST_FIRST },
    { key: { status: 1, reportsCount: -1, _id: -1 }, partialFilterExpression: { reportsCount: { $gt: 0 } } },
  ],
}
