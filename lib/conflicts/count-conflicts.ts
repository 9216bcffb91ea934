import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { Source } from '../contract/sources.ts'
import type { ConflictsDeps } from './deps.ts'
import { QUEUED, WAITING } from './states.ts'

/** Counts the conflicts of one source that wait for a decision. One source is one range of the index, counted as such. */
export async function countWaiting(
  { db, conflictReads }: Pick<ConflictsDeps, 'db' | 'conflictReads'>,
  { source }: { source: Source },
): Promise<number> {
  return await conflictReads.waiting(source, () =>
    db.conflicts.countDocuments({ source, ...WAITING.filter }, { hint: WAITING.index, maxTimeMS: MAX_TIME_MS }),
  )
}

/** Counts the decisions of each source that wait for the writer. */
export async function countQueued({ db }: Pick<ConflictsDeps, 'db'>): Promise<Record<Source, number>> {
  const count = (source: Source) =>
    db.conflicts.countDocuments({ source, ...QUEUED.filter }, { hint: QUEUED.index, maxTimeMS: MAX_TIME_MS })
  const [vndb, igdb, hltb, ra] = await Promise.all([count('vndb'), count('igdb'), count('hltb'), count('ra')])
  return { vndb, igdb, hltb, ra }
}
