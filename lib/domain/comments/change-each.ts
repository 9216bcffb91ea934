import type { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import { mapLimited } from '../../infrastructure/concurrency/map-limited.ts'
import { isAnswerLost } from '../../infrastructure/db/is-database-unreachable.ts'
import type { Feed } from '../../infrastructure/events/feed.ts'

export type AnswerLost = Pick<Feed, 'answerLost'>

interface Changes {
  /** How many comments change at once. More changes of one thread would be refused. */
  limit: number
  mayGoOn: () => boolean
  change: (comment: { commentId: string }) => Promise<unknown>
}

/**
 * Changes comments for a job, each with its event, while the job may go on. A comment that is gone meanwhile is left out, and
 * a failure does not keep the job from the other comments.
 * @throws the first failure, at the end
 */
export async function changeEach(
  { feed }: { feed: AnswerLost },
  found: readonly { _id: ObjectId }[],
  { limit, mayGoOn, change }: Changes,
): Promise<void> {
  const failures: unknown[] = []
  await mapLimited(found, limit, async ({ _id }) => {
    if (!mayGoOn()) return
    const begunAt = performance.now()
    await change({ commentId: _id.toHexString() }).catch((error: unknown) => {
      // The change stream then brings the change, and its event is sent.
      if (isAnswerLost(error)) feed.answerLost(begunAt)
      if (!(error instanceof DomainError) || error.code !== 'NOT_FOUND') failures.push(error)
    })
  })
  if (failures.length > 0) throw failures[0]
}
