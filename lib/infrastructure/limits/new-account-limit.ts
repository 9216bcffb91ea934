import type { Collection, ObjectId } from 'mongodb'
import { NEW_ACCOUNT_COMMENTS, NEW_ACCOUNT_REQUESTS } from '../../contract/limits.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { LimitDocument } from '../db/collections/limits.ts'
import { rateLimited } from './rate-limits.ts'

const PERIOD_MS = 10 * 60 * 1_000

const LIMITS = {
  comments: { points: NEW_ACCOUNT_COMMENTS, message: MESSAGES.newAccountComments },
  requests: { points: NEW_ACCOUNT_REQUESTS, message: MESSAGES.newAccountRequests },
}

/** Takes a point in one update of one document, so that no two take the last one. @throws DomainError RATE_LIMITED */
export async function takeNewAccountPoint(
  { db, clock }: { db: { limits: Collection<LimitDocument> }; clock: () => Date },
  { _id, isNew }: { _id: ObjectId; isNew?: boolean },
  kind: keyof typeof LIMITS,
): Promise<void> {
  if (!isNew) return
  const { points, message } = LIMITS[kind]
  const now = clock()
  const since = new Date(now.getTime() - PERIOD_MS)
  const recent = { $filter: { input: { $ifNull: ['$times', []] }, cond: { $gt: ['$$this', since] } } }
  const taken = { $slice: [{ $concatArrays: [recent, [now]] }, points] }
  const before = await db.limits.findOneAndUpdate(
    { key: `${kind}:${_id.toHexString()}` },
    [{ $set: { times: taken, expire: new Date(now.getTime() + PERIOD_MS) } }],
    { upsert: true, projection: { times: 1 } },
  )
  const [oldest, ...others] = (before?.times ?? []).filter((at) => at > since)
  if (oldest !== undefined && others.length + 1 >= points)
    throw rateLimited(oldest.getTime() + PERIOD_MS - now.getTime(), message)
}
