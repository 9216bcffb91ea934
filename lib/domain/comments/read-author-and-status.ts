import type { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { CommentsDeps } from './deps.ts'

/**
 * Reads what decides why a change of a comment matched nothing.
 * @throws DomainError NOT_FOUND for an unknown or deleted comment
 */
export async function readAuthorAndStatus(
  { db }: Pick<CommentsDeps, 'db'>,
  _id: ObjectId,
): Promise<Pick<CommentDocument, 'userId' | 'status'>> {
  const comment = await db.comments.findOne({ _id }, { projection: { userId: 1, status: 1 } })
  if (comment === null || comment.status === 'deleted') throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  return comment
}
