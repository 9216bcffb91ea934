import type { ClientSession, ObjectId } from 'mongodb'
import type { CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import type { Actor } from '../auth/actor.ts'
import { addToUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

interface ModeratedComment extends Pick<CommentDocument, '_id' | 'gameId' | 'userId' | 'status'> {
  reason?: string | undefined
}

interface EndedAct {
  actId: ObjectId
  userId: ObjectId
  status: 'hidden' | 'visible'
  count: number
}

/** Notifies a user that an act hid or showed again all comments of the user. */
export async function notifyAct(
  deps: NotificationsDeps,
  { actId, userId, status, count }: EndedAct,
  session: ClientSession,
): Promise<void> {
  const fields = { type: 'comment-moderated', count, facts: { $literal: { status, reason: null } } }
  await addToUnread(deps, { userIds: [userId], key: `act:${actId.toHexString()}`, fields }, session)
}

/** Notifies the author of a comment of what became of it, in the transaction of the change. No admin is named. */
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
