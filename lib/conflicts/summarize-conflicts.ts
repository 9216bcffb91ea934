import type { ConflictSummary } from '../contract/conflicts.ts'
import { ConflictSource } from '../contract/conflicts-namespace.ts'
import { MAX_TIME_MS } from '../db/max-time.ts'
import type { Deps } from '../deps.ts'
import { countWaiting } from './count-waiting.ts'
import { findFirstWaiting } from './find-first-waiting.ts'
import { QUEUED } from './states.ts'

type Summarizing = Pick<Deps, 'db' | 'conflictReads'>
type Wanted = { source?: ConflictSource | undefined }

async function readSummary(deps: Summarizing, { source }: Wanted): Promise<ConflictSummary> {
  const sources = source === undefined ? ConflictSource.options : [source]
  const [vndb, igdb, hltb, ra, applying, first] = await Promise.all([
    countWaiting(deps, { source: 'vndb' }),
    countWaiting(deps, { source: 'igdb' }),
    countWaiting(deps, { source: 'hltb' }),
    countWaiting(deps, { source: 'ra' }),
    deps.db.conflicts.countDocuments(
      { source: { $in: sources }, ...QUEUED.filter },
      { hint: QUEUED.index, maxTimeMS: MAX_TIME_MS },
    ),
    findFirstWaiting(deps, { sources }),
  ])
  const bySource = { vndb, igdb, hltb, ra }

  return {
    pending: sources.reduce((sum, each) => sum + bySource[each], 0),
    applying,
    firstExternalId: first?.externalId ?? null,
    firstSource: first?.source ?? null,
    bySource,
  }
}

/** Counts what waits for a decision and what waits for its writing, of one source or of all. */
export async function summarizeConflicts(deps: Summarizing, wanted: Wanted): Promise<ConflictSummary> {
  return await deps.conflictReads.summaries(wanted.source ?? '', () => readSummary(deps, wanted))
}
