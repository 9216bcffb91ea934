import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { Comment } from '../../contract/comments.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { type CommentRow, listedTo, rowProjection } from './comment-row.ts'
import type { ShowDeps } from './deps.ts'
import { commentToWire } from './to-wire.ts'

/** Reads one comment in the form of lists. @throws DomainError NOT_FOUND also for one that no list shows */
export async function readComment(
  deps: ShowDeps,
  { commentId, viewer }: { commentId: string; viewer: SessionUser | null },
): Promise<Comment> {
  const filter = { _id: new ObjectId(commentId), ...listedTo(viewer, { withHeld: true }) }
  const row = await deps.db.comments.findOne<CommentRow>(filter, { projection: rowProjection(viewer) })
  if (row === null) throw new DomainError('NOT_FOUND', MESSAGES.commentNotFound)
  return await commentToWire(deps, row, viewer)
}
