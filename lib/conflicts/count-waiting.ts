import type { ConflictSource } from '../contract/conflicts-namespace.ts'
import { MAX_TIME_MS } from '../db/max-time.ts'
import type { Deps } from '../deps.ts'
import { WAITING } from './states.ts'

/** Counts the conflicts of one source that wait for a decision. One source is one range of the index, counted as such. */
export async function countWaiting(
  { db, conflictReads }: Pick<Deps, 'db' | 'conflictReads'>,
  { source }: { source: ConflictSource },
): Promise<number> {
  return await conflictReads.waiting(source, () =>
    db.conflicts.countDocuments({ source, ...WAITING.filter }, { hint: WAITING.index, maxTimeMS: MAX_TIME_MS }),
  )
}
