import type { ClientSession, ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { CommentsDeps } from './deps.ts'

/**
 * Changes a thread's count of visible replies by one, as the first write of a transaction: replies of one thread wait here
 * for each other, before anything else is locked.
 * @throws DomainError NOT_FOUND when the thread is gone
 */
export async function incrementReplyCount(
  { db, failpoint }: Pick<CommentsDeps, 'db' | 'failpoint'>,
  { threadId, by, sentBy, session }: { threadId: ObjectId; by: 1 | -1; sentBy: string; session: ClientSession },
): Promise<Pick<CommentDocument, 'repliesCount' | 'rev' | 'status'>> {
  const thread = await db.comments.findOneAndUpdate(
    { _id: threadId },
    { $inc: { repliesCount: by, rev: 1 }, $set: { sentBy } },
    { session, returnDocument: 'after', projection: { repliesCount: 1, rev: 1, status: 1 } },
  )
  if (thread === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  await failpoint('comment:counted')
  return thread
}
