import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { createSentBy } from '../../infrastructure/events/sent-by.ts'
import type { Actor } from '../auth/actor.ts'
import { dropPages } from './caches.ts'
import type { CommentsDeps } from './deps.ts'
import { readAuthorAndStatus } from './read-author-and-status.ts'

/**
 * Reports a visible comment of somebody else; a repeat changes nothing.
 * @throws DomainError NOT_FOUND, INVALID for an own comment
 */
export async function reportComment(
  deps: CommentsDeps,
  { user: { _id: me }, socketId }: Actor,
  { commentId }: { commentId: string },
): Promise<void> {
  const _id = new ObjectId(commentId)
  const reported = await deps.db.comments.findOneAndUpdate(
    { _id, status: 'visible', userId: { $ne: me }, reportedBy: { $ne: me } },
    { $push: { reportedBy: me }, $inc: { reportsCount: 1 }, $set: { sentBy: createSentBy(deps, socketId) } },
    { projection: { gameId: 1 } },
  )
  if (reported !== null) return dropPages(deps, reported.gameId)

  const { userId, status } = await readAuthorAndStatus(deps, _id)
  if (status !== 'visible') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  if (userId.equals(me)) throw new DomainError('INVALID', MESSAGES.ownCommentReport)
}
