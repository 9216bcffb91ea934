import type { ObjectId } from 'mongodb'
import { changeOf } from './add-to-unread.ts'
import type { NotificationsDeps } from './deps.ts'

/** Deletes the notifications of a user, and those that name no other user. Removes the user from all others. */
export async function removeUser({ db }: NotificationsDeps, userId: ObjectId): Promise<void> {
  const { notifications } = db
  await notifications.deleteMany({ userId })
  const naming = { 'actors._id': userId }
  for (const { _id, userId: owner } of await notifications.find(naming, { projection: { userId: 1 } }).toArray()) {
    await db.transaction(async (session) => {
      const change = { $set: { changeOf: changeOf(owner) }, $inc: { rev: 1, actorsCount: -1 } }
      await notifications.updateOne({ _id, ...naming }, { ...change, $pull: { actors: { _id: userId } } }, { session })
      await notifications.deleteOne({ _id, type: 'comment-reply', actors: { $size: 0 } }, { session })
    })
  }
}
