import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { Source } from '../contract/sources.ts'
import type { ConflictsDeps } from './deps.ts'
import { WAITING } from './states.ts'

/** Counts the conflicts of one source that wait for a decision. One source is one range of the index, counted as such. */
export async function countWaiting(
  { db, conflictReads }: Pick<ConflictsDeps, 'db' | 'conflictReads'>,
  { source }: { source: Source },
): Promise<number> {
  return await conflictReads.waiting(source, () =>
    db.conflicts.countDocuments({ source, ...WAITING.filter }, { hint: WAITING.index, maxTimeMS: MAX_TIME_MS }),
  )
}
