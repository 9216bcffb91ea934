import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { Source } from '../contract/sources.ts'
import type { ConflictsDeps } from './deps.ts'
import { QUEUED } from './states.ts'

/** Counts the decisions of each source that wait for the writer. */
export async function countQueued({ db }: Pick<ConflictsDeps, 'db'>): Promise<Record<Source, number>> {
  const count = (source: Source) =>
    db.conflicts.countDocuments({ source, ...QUEUED.filter }, { hint: QUEUED.index, maxTimeMS: MAX_TIME_MS })
  const [vndb, igdb, hltb, ra] = await Promise.all([count('vndb'), count('igdb'), count('hltb'), count('ra')])
  return { vndb, igdb, hltb, ra }
}
