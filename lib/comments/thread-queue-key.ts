import { ObjectId } from 'mongodb'
import type { CommentsDeps } from './deps.ts'

export const toThreadQueueKey = (threadId: ObjectId) => `thread:${threadId.toHexString()}`

/**
 * The key under which everything about one thread happens in order. An unknown comment is a thread of its own: whatever is
 * done in its turn refuses it.
 */
export async function threadQueueKey(
  { db, commentCaches: { threads } }: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  commentId: string,
): Promise<string> {
  const known = threads.get(commentId)
  if (known !== undefined) return toThreadQueueKey(known)

  const _id = new ObjectId(commentId)
  const comment = await db.comments.findOne({ _id }, { projection: { parentId: 1 } })
  const threadId = comment?.parentId ?? _id
  if (comment !== null) threads.set(commentId, threadId)
  return toThreadQueueKey(threadId)
}
