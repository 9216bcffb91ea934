import type { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import type { CommentDocument } from '../db/collections/comments.ts'

/** A stored comment as one viewer asks for it: the voters stay in the database. */
export type CommentRow = Omit<CommentDocument, 'likedBy' | 'reportedBy'> & { isLiked: boolean; isReported: boolean }

const isAmong = (viewer: ObjectId, field: string) => ({ $in: [viewer, { $ifNull: [field, []] }] })

const orElse = (field: string, absent: unknown) => ({ $ifNull: [field, absent] })

/** The projection that makes a `CommentRow` of a comment, also of one that an older release stored without some fields. */
export const rowProjection = (viewer: SessionUser | null) => ({
  gameId: 1,
  userId: 1,
  parentId: orElse('$parentId', null),
  replyToId: orElse('$replyToId', null),
  body: orElse('$body', ''),
  isSpoiler: orElse('$isSpoiler', false),
  likesCount: orElse('$likesCount', 0),
  repliesCount: orElse('$repliesCount', 0),
  reportsCount: orElse('$reportsCount', 0),
  status: 1,
  createdAt: 1,
  updatedAt: orElse('$updatedAt', '$createdAt'),
  isLiked: viewer ? isAmong(viewer._id, '$likedBy') : { $literal: false },
  isReported: viewer ? isAmong(viewer._id, '$reportedBy') : { $literal: false },
})

/** Whether a viewer may read a comment of this status. */
export const isReadable = (status: CommentDocument['status'], viewer: SessionUser | null) =>
  status === 'visible' || (status === 'hidden' && viewer?.isAdmin === true)

/** The statuses that a viewer may read, for a filter. */
export const readableStatus = (viewer: SessionUser | null) =>
  viewer?.isAdmin ? { $in: ['visible', 'hidden'] as CommentDocument['status'][] } : ('visible' as const)

/** The comments that lists show to a viewer, for a filter: also one that the viewer may not read, if it has replies. */
export const listedTo = (viewer: SessionUser | null) => ({
  $or: [{ status: readableStatus(viewer) }, { repliesCount: { $gt: 0 } }],
})

/** Reads what an update with `rowProjection` answered. */
export function asRow(document: CommentDocument | null): CommentRow | null {
  // The driver types an update's answer as the stored document; the projection leaves out the voters and adds the flags.
  return document as CommentRow | null
}
