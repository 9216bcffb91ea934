import type { ClientSession } from 'mongodb'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Actor } from '../auth/actor.ts'
import { addToUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

type ModeratedComment = Pick<CommentDocument, '_id' | 'gameId' | 'userId' | 'status'> & { reason?: string | undefined }

/** Notifies the author of a comment of its new status, in the transaction of the change. The notification names no admin. */
export async function notifyModeration(
  deps: NotificationsDeps,
  actor: Actor | null,
  { _id, gameId, userId, status, reason }: ModeratedComment,
  session: ClientSession,
): Promise<void> {
  if (actor && userId.equals(actor.user._id)) return
  const facts = { $literal: { status, reason: reason ?? null } }
  const fields = { type: 'comment-moderated', gameId, commentId: _id, facts }
  await addToUnread(deps, { userIds: [userId], key: `moderation:${_id.toHexString()}`, fields }, session)
}
