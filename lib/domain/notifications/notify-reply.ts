import type { ClientSession, ObjectId } from 'mongodb'
import { NOTIFICATION_ACTORS_MAX } from '../../contract/limits.ts'
import { listIn } from '../../infrastructure/db/expressions.ts'
import { addToUnread } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

interface Reply {
  _id: ObjectId
  gameId: ObjectId
  author: { _id: ObjectId; userName: string }
  /** The comment answered directly. */
  answered: { _id: ObjectId; userId: ObjectId }
}

/**
 * Tells the author of a comment of a reply to it, in the transaction that stores the reply. Nobody is told of an own one.
 * @returns the notification that counts the reply, for the reply's `notificationId`
 */
export async function notifyReply(
  deps: NotificationsDeps,
  { _id, gameId, author, answered }: Reply,
  session: ClientSession,
): Promise<ObjectId | undefined> {
  if (answered.userId.equals(author._id)) return undefined
  const others = {
    $filter: { input: listIn('$actors'), cond: { $ne: ['$$this._id', author._id] } },
  }
  const actor = { _id: author._id, userName: { $literal: author.userName } }
  return await addToUnread(
    deps,
    {
      userId: answered.userId,
      key: `reply:${answered._id.toHexString()}`,
      fields: {
        type: 'reply',
        count: { $add: [{ $ifNull: ['$count', 0] }, 1] },
        actors: { $slice: [{ $concatArrays: [[actor], others] }, NOTIFICATION_ACTORS_MAX] },
        gameId,
        commentId: _id,
      },
    },
    session,
  )
}
