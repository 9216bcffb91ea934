import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ReportState } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { dropPages } from './caches.ts'
import type { CommentsDeps } from './deps.ts'

/**
 * Reports a visible comment of somebody else to the admins. A repeat changes nothing, and no event is sent.
 * @throws DomainError NOT_FOUND, INVALID for the actor's own comment
 */
export async function reportComment(
  deps: CommentsDeps,
  { user, socketId }: Actor,
  { commentId }: { commentId: string },
): Promise<ReportState> {
  const _id = new ObjectId(commentId)
  const reported = await deps.db.comments.findOneAndUpdate(
    { _id, status: 'visible', userId: { $ne: user._id }, reportedBy: { $ne: user._id } },
    { $push: { reportedBy: user._id }, $inc: { reportsCount: 1 }, $set: { sentBy: createSentBy(deps, socketId) } },
    { projection: { gameId: 1 } },
  )
  if (reported !== null) dropPages(deps, reported.gameId)
  else {
    const comment = await deps.db.comments.findOne({ _id }, { projection: { userId: 1, status: 1 } })
    if (comment?.status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
    if (comment.userId.equals(user._id)) throw new DomainError('INVALID', MESSAGES.ownCommentReport)
  }
  return { isReported: true }
}
