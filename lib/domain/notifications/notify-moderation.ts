import type { ClientSession } from 'mongodb'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Actor } from '../auth/actor.ts'
import { addToUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

type ModeratedComment = Pick<CommentDocument, '_id' | 'gameId' | 'userId' | 'status'>

/** Notifies the author of a comment of what an admin did to it, in the transaction of the change. No admin is named. */
export async function notifyModeration(
  deps: NotificationsDeps,
  actor: Actor,
  { _id, gameId, userId, status }: ModeratedComment,
  session: ClientSession,
): Promise<void> {
  if (userId.equals(actor.user._id)) return
  const fields = { type: 'comment-moderated', gameId, commentId: _id, facts: { status } }
  await addToUnread(deps, { userId, key: `moderation:${_id.toHexString()}`, fields }, session)
}
