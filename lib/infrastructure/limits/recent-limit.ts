import type { Collection } from 'mongodb'
import type { LimitDocument } from '../db/collections/limits.ts'
import { rateLimited } from './rate-limits.ts'

const PERIOD_MS = 10 * 60 * 1_000

interface RecentLimit {
  key: string
  /** Points of any ten minutes, wherever they begin. */
  points: number
  message: string
}

/**
 * Takes one of the points that a key has in ten minutes. One update of one document counts and takes, so that instances
 * cannot take the last point at once, and a restart forgets none.
 * @throws DomainError RATE_LIMITED with `retryAfter` until the oldest point is free again
 */
export async function takeRecent(
  { db, clock }: { db: { limits: Collection<LimitDocument> }; clock: () => Date },
  { key, points, message }: RecentLimit,
): Promise<void> {
  const now = clock()
  const since = new Date(now.getTime() - PERIOD_MS)
  const recent = { $filter: { input: { $ifNull: ['$times', []] }, cond: { $gt: ['$$this', since] } } }
  const taken = { $slice: [{ $concatArrays: [recent, [now]] }, points] }
  const before = await db.limits.findOneAndUpdate(
    { key },
    [{ $set: { times: taken, expire: new Date(now.getTime() + PERIOD_MS) } }],
    { upsert: true, projection: { times: 1 } },
  )
  const [oldest, ...others] = (before?.times ?? []).filter((at) => at > since)
  if (oldest !== undefined && others.length + 1 >= points)
    throw rateLimited(oldest.getTime() + PERIOD_MS - now.getTime(), message)
}
