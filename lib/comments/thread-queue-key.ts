import { ObjectId } from 'mongodb'
import type { CommentsDeps } from './deps.ts'
import { lookUpHome } from './find-home.ts'

export const toThreadQueueKey = (threadId: ObjectId) => `thread:${threadId.toHexString()}`

/**
 * The key under which everything about one thread happens in order. An unknown comment is a thread of its own: whatever is
 * done in its turn refuses it.
 */
export async function threadQueueKey(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches'>,
  commentId: string,
): Promise<string> {
  const home = await lookUpHome(deps, commentId)
  return toThreadQueueKey(home?.threadId ?? new ObjectId(commentId))
}
