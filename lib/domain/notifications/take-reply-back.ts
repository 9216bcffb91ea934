import type { ClientSession, ObjectId } from 'mongodb'
import { NOTIFICATION_ACTORS_MAX } from '../../contract/limits.ts'
import { BY_NOTIFICATION, type CommentDocument } from '../../infrastructure/db/collections/comments.ts'
import { changeOf } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

type CountedReply = Pick<CommentDocument, '_id' | 'userId'>

/** Finds the newest replies that a notification counts, until they have three different authors. */
async function findNewestReplies(
  { comments }: NotificationsDeps['db'],
  notificationId: ObjectId,
  session: ClientSession,
): Promise<CountedReply[]> {
  const options = { session, projection: { userId: 1 }, hint: BY_NOTIFICATION }
  const newest: CountedReply[] = []
  for await (const reply of comments.find<CountedReply>({ notificationId }, options).sort({ _id: -1 })) {
    if (newest.some(({ userId }) => userId.equals(reply.userId))) continue
    if (newest.push(reply) === NOTIFICATION_ACTORS_MAX) break
  }
  return newest
}

/**
 * Removes a hidden or deleted reply from the unread notification that counts it. An empty notification is deleted, a read one
 * stays. Called in the transaction of the change, after the reply has lost its `notificationId`.
 */
export async function takeReplyBack(
  { db }: NotificationsDeps,
  { notificationId }: { notificationId: ObjectId },
  session: ClientSession,
): Promise<void> {
  const { notifications, users } = db
  const unread = await notifications.findOne({ _id: notificationId, isRead: false }, { session })
  if (unread === null) return
  const change = { $set: { changeOf: changeOf(unread.userId) }, $inc: { rev: 1 } }
  const [newest, ...others] = await findNewestReplies(db, notificationId, session)
  if (newest === undefined) {
    // The deletion alone does not name the user in the change stream.
    await notifications.updateOne({ _id: notificationId }, change, { session })
    await notifications.deleteOne({ _id: notificationId }, { session })
    return
  }
  const authorIds = [newest, ...others].map(({ userId }) => userId)
  const authors = await users.find({ _id: { $in: authorIds } }, { session, projection: { userName: 1 } }).toArray()
  const actors = authorIds.flatMap((_id) => {
    const author = authors.find((user) => user._id.equals(_id))
    return author ? [{ _id, userName: author.userName }] : []
  })
  await notifications.updateOne(
    { _id: notificationId },
    { $set: { ...change.$set, actors, commentId: newest._id }, $inc: { rev: 1, count: -1 } },
    { session },
  )
}
