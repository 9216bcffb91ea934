import type { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { Source } from '../contract/sources.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { ConflictsDeps } from './deps.ts'
import { WAITING } from './states.ts'

/** Finds the oldest conflict of these sources that waits for a decision, one of them left out. */
export async function findFirstWaiting(
  { db }: Pick<ConflictsDeps, 'db'>,
  sources: readonly Source[],
  { except }: { except?: ObjectId } = {},
): Promise<Pick<ConflictDocument, 'source' | 'externalId'> | null> {
  return await db.conflicts.findOne(
    { source: { $in: [...sources] }, ...WAITING.filter, ...(except && { _id: { $ne: except } }) },
    {
      projection: { source: 1, externalId: 1 },
      sort: { createdAt: 1, _id: 1 },
      hint: WAITING.index,
      maxTimeMS: MAX_TIME_MS,
    },
  )
}
