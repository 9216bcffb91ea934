import type { ConflictSummary } from '../../contract/conflicts.ts'
import { Source } from '../../contract/sources.ts'
import { countBySource } from './conflict-counts.ts'
import type { ConflictsDeps } from './deps.ts'
import { findFirstWaiting, QUEUED, WAITING } from './states.ts'

/**
 * Counts waiting and queued conflicts, of one source or of all. `isRecent` adjusts the last counts by the changes of this
 * instance, for the answer to a change.
 */
export async function summarizeConflicts(
  deps: Pick<ConflictsDeps, 'db' | 'conflictCounts'>,
  { source: wanted, isRecent = false }: { source?: Source | undefined; isRecent?: boolean },
): Promise<ConflictSummary> {
  const count = deps.conflictCounts[isRecent ? 'recent' : 'exact']
  const sources = wanted === undefined ? Source.options : [wanted]
  const [first, bySource, queued] = await Promise.all([
    findFirstWaiting(deps, sources),
    countBySource(count, WAITING),
    countBySource(count, QUEUED),
  ])
  const sum = (counted: Record<Source, number>) => sources.reduce((total, source) => total + counted[source], 0)

  return {
    pending: sum(bySource),
    applying: sum(queued),
    firstExternalId: first?.externalId ?? null,
    firstSource: first?.source ?? null,
    bySource,
  }
}
