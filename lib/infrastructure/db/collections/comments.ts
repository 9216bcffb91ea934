import type { ObjectId } from 'mongodb'
import { z } from 'zod'
import { CommentStatus } from '#lib/contract/comments'
import { id, orAbsent, orNull, type ReadBy } from '../readable-documents.ts'
import type { CollectionDefinition } from './collection-definition.ts'

const readable = {
  _id: id,
  gameId: id,
  userId: id,
  /** The thread's top-level comment; null for one itself. */
  parentId: orNull(id),
  replyToId: orNull(id),
  body: z.string(),
  isSpoiler: z.boolean().catch(false),
  likesCount: z.number().catch(0),
  repliesCount: z.number().catch(0),
  reportsCount: z.number().catch(0),
  /** The time of the last edit of a comment that waits for a moderator. Null for a comment hidden by reports whose reporters are gone. */
  heldAt: orAbsent(z.date().nullable()),
  /** Set on a new comment that waits for a moderator, until it is shown first. Until then its changes send no event, and nobody is notified. */
  isUnshown: orAbsent(z.literal(true)),
  status: CommentStatus,
  createdAt: z.date(),
  updatedAt: z.date(),
  /** Incremented with each change that sends an event; changes of other programs do not increment it. */
  rev: orAbsent(z.number()),
}

export interface CommentDocument extends ReadBy<typeof readable> {
  likedBy?: ObjectId[]
  /** The reporters whose reports are open; `reportsCount` counts them. */
  reportedBy?: ObjectId[]
  decidedReportsCount?: number
  /** Set when the author deletes a visible comment, which still counts as kept; see `comments/held.ts`. */
  isKept?: true
  /** The last act on all comments of the author that changed the status; see `users/hide-comments.ts`. */
  actId?: ObjectId
  /** True when the act took the reply from an unread notification, to which its undoing adds it again. */
  isUntold?: true
  /** The notification that counts this reply, as long as the reply is visible. */
  notificationId?: ObjectId
  sentBy?: string
}

/** Lists the newest comments of all games. The index includes the game, so that comments are counted without their documents. */
export const NEWEST_FIRST = { status: 1, createdAt: -1, _id: -1, gameId: 1 } as const

const THREADS = { gameId: 1, parentId: 1 } as const
/** Fields in the index of threads, so that pages are counted without their documents. */
const COUNTED = { status: 1, repliesCount: 1 } as const

export const THREADS_BEST_FIRST = { ...THREADS, likesCount: -1, createdAt: -1, _id: -1, ...COUNTED } as const
/** Lists the threads of a game, and backwards the replies of a thread. */
export const THREADS_NEWEST_FIRST = { ...THREADS, createdAt: -1, _id: -1, ...COUNTED } as const
export const THREADS_BY_STATUS = { ...THREADS, ...COUNTED } as const
export const BY_NOTIFICATION = { notificationId: 1, userId: 1, _id: -1 } as const
export const OF_ACT = { actId: 1, status: 1 } as const
export const OF_AUTHOR = { userId: 1, createdAt: -1, _id: -1 } as const
export const LIKED_BY = { likedBy: 1, _id: 1 } as const
export const BY_AUTHOR_AND_STATUS = { userId: 1, status: 1, createdAt: -1, _id: -1 } as const
export const MOST_REPORTED = { reportsCount: -1, _id: -1 } as const
const HELD = { ...MOST_REPORTED, heldAt: 1 } as const
export const HELD_OF_GAME = { gameId: 1, heldAt: 1 } as const
export const MOST_DECIDED = { decidedReportsCount: -1, _id: -1 } as const

export const comments: CollectionDefinition<CommentDocument> = {
  name: 'comments',
  indexes: [
    { key: THREADS_BEST_FIRST },
    { key: THREADS_NEWEST_FIRST },
    { key: THREADS_BY_STATUS },
    { key: NEWEST_FIRST },
    { key: BY_NOTIFICATION, partialFilterExpression: { notificationId: { $exists: true } } },
    { key: { status: 1, reportsCount: -1, _id: -1 }, partialFilterExpression: { reportsCount: { $gt: 0 } } },
    { key: MOST_REPORTED, partialFilterExpression: { reportsCount: { $gt: 0 } } },
    { key: HELD_OF_GAME, partialFilterExpression: { heldAt: { $exists: true } } },
    { key: HELD, partialFilterExpression: { heldAt: { $exists: true } } },
    { key: MOST_DECIDED, partialFilterExpression: { decidedReportsCount: { $gt: 0 } } },
    { key: OF_AUTHOR },
    { key: OF_ACT, partialFilterExpression: { actId: { $exists: true } } },
    { key: BY_AUTHOR_AND_STATUS },
    { key: LIKED_BY },
  ],
  lists: ['likedBy'],
  readable,
}
