import type { ObjectId } from 'mongodb'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { countIn, listIn } from '../../infrastructure/db/expressions.ts'
import type { SessionUser } from '../auth/session-user.ts'

/** A stored comment with the votes of one viewer. The lists of voters stay in the database. */
export type CommentRow = Omit<
  CommentDocument,
  'likedBy' | 'reportedBy' | 'decidedReportsCount' | 'isKept' | 'notificationId' | 'sentBy'
> & {
  isLiked: boolean
  isReported: boolean
}

/** A comment that waits for a moderator. */
export type OwnHeld = Pick<CommentDocument, '_id' | 'userId' | 'parentId' | 'repliesCount'>

export type AuthoredComment = Pick<CommentDocument, '_id' | 'userId' | 'status' | 'heldAt'>

const isAmong = (viewer: ObjectId, field: string) => ({ $in: [viewer, listIn(field)] })

const orElse = (field: string, absent: unknown) => ({ $ifNull: [field, absent] })

export const votesProjection = ({ _id }: SessionUser) => ({
  isLiked: isAmong(_id, '$likedBy'),
  isReported: isAmong(_id, '$reportedBy'),
})

/** Projects a comment to a `CommentRow`, and fills fields that another program left out. */
export const rowProjection = (viewer: SessionUser | null) =>
  ({
    gameId: 1,
    userId: 1,
    parentId: orElse('$parentId', null),
    replyToId: orElse('$replyToId', null),
    body: orElse('$body', ''),
    isSpoiler: orElse('$isSpoiler', false),
    likesCount: countIn('$likesCount'),
    repliesCount: countIn('$repliesCount'),
    reportsCount: countIn('$reportsCount'),
    heldAt: 1,
    isUnshown: 1,
    actId: 1,
    isUntold: 1,
    status: 1,
    rev: 1,
    createdAt: 1,
    updatedAt: orElse('$updatedAt', '$createdAt'),
    ...(viewer ? votesProjection(viewer) : { isLiked: { $literal: false }, isReported: { $literal: false } }),
  }) satisfies Record<keyof Omit<CommentRow, '_id'>, unknown>

/** True when a viewer may read a comment: an admin a hidden one, its author one that waits for a moderator. */
export const isReadable = ({ status, heldAt, userId }: AuthoredComment, viewer: SessionUser | null) =>
  status === 'visible' ||
  (status === 'hidden' && viewer !== null && (viewer.isAdmin || (heldAt != null && viewer._id.equals(userId))))

export const readableStatus = (viewer: SessionUser | null) =>
  viewer?.isAdmin ? { $in: ['visible', 'hidden'] as CommentDocument['status'][] } : ('visible' as const)

export const unreadableStatus = (viewer: SessionUser | null): { $in: CommentDocument['status'][] } => ({
  $in: viewer?.isAdmin ? ['deleted'] : ['hidden', 'deleted'],
})

/** Selects the comments of a viewer that wait. */
export const heldBy = ({ _id }: SessionUser) => ({ userId: _id, heldAt: { $ne: null } })

/** Filters the comments that lists show to a viewer. An unreadable comment is listed when it has replies. */
export const listedTo = (viewer: SessionUser | null, { withHeld }: { withHeld: boolean }) => ({
  $or: [
    { status: readableStatus(viewer) },
    { repliesCount: { $gt: 0 } },
    ...(viewer && withHeld ? [heldBy(viewer)] : []),
  ],
})

/** Makes the event of an edited comment, which must still be readable. */
export function toUpdated({ _id, gameId, body, isSpoiler, updatedAt }: Omit<CommentRow, 'isLiked' | 'isReported'>) {
  const subject = { gameId: gameId.toHexString(), commentId: _id.toHexString() }
  return { ...subject, body, isSpoiler, updatedAt: updatedAt.toISOString() }
}
