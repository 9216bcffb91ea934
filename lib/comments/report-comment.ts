import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import { MESSAGES } from '../contract/messages.ts'
import { DomainError } from '../errors.ts'
import type { CommentsDeps } from './deps.ts'
import { findStanding } from './find-standing.ts'

/**
 * Reports a visible comment of somebody else; a repeat changes nothing.
 * @throws DomainError NOT_FOUND, INVALID for an own comment
 */
export async function reportComment(
  deps: Pick<CommentsDeps, 'db'>,
  { commentId, reporter }: { commentId: string; reporter: SessionUser },
): Promise<void> {
  const _id = new ObjectId(commentId)
  const me = reporter._id
  const { matchedCount } = await deps.db.comments.updateOne(
    { _id, status: 'visible', userId: { $ne: me }, reportedBy: { $ne: me } },
    { $push: { reportedBy: me }, $inc: { reportsCount: 1 } },
    { maxTimeMS: MAX_TIME_MS },
  )
  if (matchedCount === 1) return

  const { userId, status } = await findStanding(deps, _id)
  if (status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (userId.equals(me)) throw new DomainError('INVALID', MESSAGES.ownCommentReport)
}
