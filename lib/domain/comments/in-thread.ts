import type { Actor } from '../auth/actor.ts'
import type { CommentsDeps } from './deps.ts'
import { findThreadRef } from './thread-refs.ts'

/**
 * Runs a change with its event after all earlier ones of the thread of this comment. Without a comment it begins a thread
 * of its own. An unknown one is refused by the change.
 * @throws DomainError RATE_LIMITED when too many changes of this user wait there
 */
export async function inThread<T>(
  deps: Pick<CommentsDeps, 'db' | 'commentCaches' | 'queue'>,
  { commentId, actor }: { commentId: string | null | undefined; actor: Actor },
  change: () => Promise<T>,
): Promise<T> {
  if (!commentId) return change()
  const ref = await findThreadRef(deps, commentId)
  return deps.queue.run(`thread:${ref?.threadId ?? commentId}`, change, {
    owner: actor.user._id.toHexString(),
    isGone: actor.isGone,
  })
}
