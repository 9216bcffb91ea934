import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { LikeState } from '../contract/comments.ts'
import type { CommentLikes } from '../contract/comments-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import type { CommentsDeps } from './deps.ts'

interface Vote {
  commentId: string
  voter: SessionUser
  isActive: boolean
}

/**
 * Sets or takes back a like; vote and count are one update of the comment. `event` is null when nothing changed.
 * @throws DomainError NOT_FOUND, INVALID for an own comment
 */
export async function setLike(
  { db }: Pick<CommentsDeps, 'db'>,
  { commentId, voter, isActive }: Vote,
): Promise<{ like: LikeState; event: CommentLikes | null }> {
  const _id = new ObjectId(commentId)
  const me = voter._id
  const changed = await db.comments.findOneAndUpdate(
    { _id, status: 'visible', userId: { $ne: me }, likedBy: isActive ? { $ne: me } : me },
    isActive
      ? { $push: { likedBy: me }, $inc: { likesCount: 1 } }
      : { $pull: { likedBy: me }, $inc: { likesCount: -1 } },
    { returnDocument: 'after', projection: { likesCount: 1, gameId: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (changed !== null) {
    const { likesCount, gameId } = changed
    return { like: { count: likesCount, isActive }, event: { gameId: gameId.toHexString(), commentId, likesCount } }
  }

  const comment = await db.comments.findOne({ _id }, { projection: { userId: 1, status: 1, likesCount: 1 } })
  if (comment?.status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (comment.userId.equals(me)) throw new DomainError('INVALID', MESSAGES.ownCommentLike)
  return { like: { count: comment.likesCount, isActive }, event: null }
}
