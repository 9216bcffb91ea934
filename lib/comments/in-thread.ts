import type { CommentsDeps } from './deps.ts'
import { threadQueueKey } from './thread-queue-key.ts'

/** Runs the change of a comment, with its announcement, after all earlier ones of the same thread. */
export async function inThread<T>(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches' | 'queue'>,
  commentId: string,
  change: () => Promise<T>,
): Promise<T> {
  return deps.queue.run(await threadQueueKey(deps, commentId), change)
}
