import { MAX_TIME_MS } from '../../concurrency/timeouts.ts'
import type { Source } from '../../contract/sources.ts'
import { BY_DECISION } from '../../db/collections/conflicts.ts'
import { applicableNow } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'

/** Whether a decision of this source waits for the writer and can be applied now. */
export async function isAnythingQueued(
  { db, sources }: Pick<WriterDeps, 'db' | 'sources'>,
  { source }: { source: Source },
): Promise<boolean> {
  const found = await db.conflicts.findOne(applicableNow(source, sources), {
    projection: { _id: 1 },
    hint: BY_DECISION,
    maxTimeMS: MAX_TIME_MS,
  })
  return found !== null
}
