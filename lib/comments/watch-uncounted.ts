import { ObjectId } from 'mongodb'
import { z } from 'zod'
import { createSemaphore } from '../concurrency/semaphore.ts'
import { UNCOUNTED_AFTER_MS } from '../concurrency/timeouts.ts'
import { Id } from '../contract/ids.ts'
import type { Announcement } from '../events/announcement.ts'
import type { Change } from '../events/change.ts'
import type { Feed } from '../events/feed.ts'
import type { CommentsDeps } from './deps.ts'
import { repairRepliesCount } from './repair-replies-count.ts'

const Uncounted = z.object({ gameId: Id, threadId: Id })
const Counted = z.object({ commentId: Id, parentId: Id })
const WATCHED_MAX = 10_000
/** A reply that another program restores has its old id, and was counted in its time. */
const NEW_FOR_MS = 60_000

/**
 * Watches the replies that other instances write. Where the count of the thread does not follow, its process is gone: the
 * thread is repaired, which announces the reply. Several instances that come to it at once do it once.
 * @returns the follower of each change and its announcement
 */
export function watchUncounted(
  deps: CommentsDeps & { feed: Pick<Feed, 'isLive'> },
): (change: Change, announcement: Announcement | null) => void {
  const timers = new Map<string, NodeJS.Timeout>()
  const repairs = createSemaphore(1)
  const never = new AbortController().signal

  function forget(commentId: string): void {
    clearTimeout(timers.get(commentId))
    timers.delete(commentId)
  }

  function watch(commentId: string, { gameId, threadId }: z.infer<typeof Uncounted>): void {
    forget(commentId)
    const [oldest] = timers.keys()
    if (timers.size >= WATCHED_MAX && oldest !== undefined) forget(oldest)
    const timer = setTimeout(() => {
      timers.delete(commentId)
      // During a stop or an outage; the next read repairs the thread, too.
      if (!deps.feed.isLive()) return
      const thread = { _id: new ObjectId(threadId), gameId: new ObjectId(gameId) }
      void repairs.run(never, () => repairRepliesCount(deps, thread))
    }, UNCOUNTED_AFTER_MS)
    timers.set(commentId, timer.unref())
  }

  return ({ id, collection, type }, announcement) => {
    if (announcement === null || collection !== 'comments' || !(id instanceof ObjectId)) return
    const { event, payload } = announcement
    if (event === null) {
      const isNew = type !== 'insert' || Date.now() - id.getTimestamp().getTime() < NEW_FOR_MS
      const uncounted = Uncounted.safeParse(payload)
      if (isNew && type !== 'replace' && uncounted.success) watch(id.toHexString(), uncounted.data)
      return
    }
    // Likes and edits of the reply tell nothing of its count.
    if (event !== 'comment:created' && event !== 'comment:status') return
    const counted = timers.size > 0 ? Counted.safeParse(payload).data : undefined
    if (counted !== undefined) forget(counted.commentId)
  }
}
