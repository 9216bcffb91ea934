import { type ClientSession, ObjectId } from 'mongodb'
import { NOTIFICATION_ACTORS_MAX } from '../../contract/limits.ts'
import { BY_NOTIFICATION } from '../../infrastructure/db/collections/comments.ts'
import { countIn, listIn } from '../../infrastructure/db/expressions.ts'
import type { Actor } from '../auth/actor.ts'
import { addToUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

interface Reply {
  _id: ObjectId
  gameId: ObjectId
  repliedTo: { _id: ObjectId; userId: ObjectId }
}

/**
 * Notifies the author of a comment of the actor's reply, in the transaction that stores the reply. A reply to one's own
 * comment notifies nobody.
 * @returns the notification that counts the reply, for the reply's `notificationId`
 */
export async function notifyReply(
  deps: NotificationsDeps,
  { user: author }: { user: Pick<Actor['user'], '_id' | 'userName'> },
  { _id, gameId, repliedTo }: Reply,
  session: ClientSession,
): Promise<ObjectId | undefined> {
  if (repliedTo.userId.equals(author._id)) return undefined
  const others = {
    $filter: { input: listIn('$actors'), cond: { $ne: ['$$this._id', author._id] } },
  }
  const { notifications, comments } = deps.db
  const key = `reply:${repliedTo._id.toHexString()}`
  const options = { session, projection: { _id: 1 } }
  const unread = await notifications.findOne({ userId: repliedTo.userId, key, isRead: false }, options)
  const counted =
    unread &&
    (await comments.findOne({ notificationId: unread._id, userId: author._id }, { ...options, hint: BY_NOTIFICATION }))
  const notificationId = unread?._id ?? new ObjectId()
  const replier = { _id: author._id, userName: { $literal: author.userName } }
  const fields = {
    _id: notificationId,
    type: 'comment-reply',
    count: { $add: [countIn('$count'), 1] },
    actorsCount: { $add: [countIn('$actorsCount'), counted ? 0 : 1] },
    actors: { $slice: [{ $concatArrays: [[replier], others] }, NOTIFICATION_ACTORS_MAX] },
    gameId,
    commentId: _id,
  }
  await addToUnread(deps, { userIds: [repliedTo.userId], key, fields }, session)
  return notificationId
}
