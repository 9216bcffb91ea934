import type { ConflictSummary } from '../../contract/conflicts.ts'
import { Source } from '../../contract/sources.ts'
import { countBySource } from './conflict-counts.ts'
import type { ConflictsDeps } from './deps.ts'
import { findFirstWaiting, QUEUED, WAITING } from './states.ts'

/** Counts waiting and queued conflicts, of one source or of all. */
export async function summarizeConflicts(
  deps: Pick<ConflictsDeps, 'db' | 'conflictCounts'>,
  { source: wanted }: { source?: Source | undefined },
): Promise<ConflictSummary> {
  const sources = wanted === undefined ? Source.options : [wanted]
  const [first, bySource, queued] = await Promise.all([
    findFirstWaiting(deps, sources),
    countBySource(deps.conflictCounts, WAITING),
    countBySource(deps.conflictCounts, QUEUED),
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
