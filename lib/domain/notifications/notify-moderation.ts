import type { ClientSession, ObjectId } from 'mongodb'
import type { CommentStatus } from '../../contract/comments.ts'
import { addToUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

interface ModeratedComment {
  _id: ObjectId
  gameId: ObjectId
  userId: ObjectId
  status: CommentStatus
}

/** Tells the author of a comment what an admin did to it, in the transaction of the change. No admin is named. */
export async function notifyModeration(
  deps: NotificationsDeps,
  { _id, gameId, userId, status, admin }: ModeratedComment & { admin: { _id: ObjectId } },
  session: ClientSession,
): Promise<void> {
  if (userId.equals(admin._id)) return
  const fields = { type: 'moderation', gameId, commentId: _id, facts: { status } }
  await addToUnread(deps, { userId, key: `moderation:${_id.toHexString()}`, fields }, session)
}
