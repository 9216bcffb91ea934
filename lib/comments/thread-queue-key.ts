import { ObjectId } from 'mongodb'
import type { Deps } from '../deps.ts'

export const threadKey = (threadId: ObjectId) => `thread:${threadId.toHexString()}`

/**
 * The key under which everything about one thread happens in order. An unknown comment is a thread of its own: whatever is
 * done in its turn refuses it.
 */
export async function threadOf(
  { db, commentCaches: { threads } }: Pick<Deps, 'db' | 'commentCaches'>,
  commentId: string,
): Promise<string> {
  const known = threads.get(commentId)
  if (known !== undefined) return threadKey(known)

  const _id = new ObjectId(commentId)
  const comment = await db.comments.findOne({ _id }, { projection: { parentId: 1 } })
  const threadId = comment?.parentId ?? _id
  if (comment !== null) threads.set(commentId, threadId)
  return threadKey(threadId)
}
