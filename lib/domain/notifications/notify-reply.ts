import { type ClientSession, ObjectId } from 'mongodb'
import { NOTIFICATION_ACTORS_MAX } from '../../contract/limits.ts'
import { BY_NOTIFICATION, type CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { countIn, listIn } from '../../infrastructure/db/expressions.ts'
import type { Actor } from '../auth/actor.ts'
import { addToUnread, changeOf, deleteOfUser } from './add-to-unread.ts'
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
  const others = { $filter: { input: listIn('$actors'), cond: { $ne: ['$$this._id', author._id] } } }
  const { notifications, comments } = deps.db
  const key = `reply:${repliedTo._id.toHexString()}`
  const options = { session, projection: { _id: 1 } }
  const unread = await notifications.findOne({ userId: repliedTo.userId, key, isRead: false }, options)
  const earlier =
    unread &&
    (await comments.findOne({ notificationId: unread._id, userId: author._id }, { ...options, hint: BY_NOTIFICATION }))
  const notificationId = unread?._id ?? new ObjectId()
  const replier = { _id: author._id, userName: { $literal: author.userName } }
  const fields = {
    _id: notificationId,
    type: 'comment-reply',
    count: { $add: [countIn('$count'), 1] },
    actorsCount: { $add: [countIn('$actorsCount'), earlier ? 0 : 1] },
    actors: { $slice: [{ $concatArrays: [[replier], others] }, NOTIFICATION_ACTORS_MAX] },
    gameId,
    commentId: _id,
  }
  await addToUnread(deps, { userIds: [repliedTo.userId], key, fields }, session)
  return notificationId
}

type CountedReply = Pick<CommentDocument, '_id' | 'userId'>

/** Finds the newest reply of each author among those that a notification counts, the newest first. */
function findNewestReplies(
  { comments }: NotificationsDeps['db'],
  notificationId: ObjectId,
  session: ClientSession,
): Promise<CountedReply[]> {
  const stages = [
    { $match: { notificationId } },
    { $sort: BY_NOTIFICATION },
    { $group: { _id: '$userId', newest: { $first: '$_id' } } },
    { $sort: { newest: -1 } },
    { $project: { _id: '$newest', userId: '$_id' } },
  ]
  return comments.aggregate<CountedReply>(stages, { session, hint: BY_NOTIFICATION }).toArray()
}

/**
 * Removes a hidden or deleted reply from the unread notification that counts it. An empty notification is deleted, a read one
 * stays. The caller has removed the `notificationId` of the reply in the same transaction.
 * @returns whether the notification was unread
 */
export async function takeReplyBack(
  { db }: NotificationsDeps,
  { notificationId }: { notificationId: ObjectId },
  session: ClientSession,
): Promise<boolean> {
  const { notifications, users } = db
  const unread = await notifications.findOne({ _id: notificationId, isRead: false }, { session })
  if (unread === null) return false
  const replies = await findNewestReplies(db, notificationId, session)
  const [newest] = replies
  if (newest === undefined) {
    await deleteOfUser(notifications, { userId: unread.userId, ids: [notificationId] }, session)
    return true
  }
  const authorIds = replies.slice(0, NOTIFICATION_ACTORS_MAX).map(({ userId }) => userId)
  const authors = await users.find({ _id: { $in: authorIds } }, { session, projection: { userName: 1 } }).toArray()
  const actors = authorIds.flatMap((_id) => {
    const author = authors.find((user) => user._id.equals(_id))
    return author ? [{ _id, userName: author.userName }] : []
  })
  await notifications.updateOne(
    { _id: notificationId },
    {
      $set: { changeOf: changeOf(unread.userId), actors, actorsCount: replies.length, commentId: newest._id },
      $inc: { rev: 1, count: -1 },
    },
    { session },
  )
  return true
}
