import { type CoalescedReads, createCoalescedReads } from '../concurrency/coalesced-reads.ts'
import type { ConflictList, ConflictListQuery, ConflictSummary } from '../contract/conflicts.ts'
import type { Source } from '../contract/sources.ts'
import type { Database } from '../db/connect.ts'
import { type ConflictCounts, createConflictCounts } from './conflict-counts.ts'
import { QUEUED } from './states.ts'

export interface SummaryInput {
  /** Without a source: all. */
  source?: Source | undefined
  /** Answers at once, by the last counts and what this instance has changed since, as the answer to a change. */
  isRecent?: boolean
}

/** Reads that every open tab repeats after each event. */
export interface ConflictReads {
  summaries: CoalescedReads<SummaryInput, ConflictSummary>
  lists: CoalescedReads<ConflictListQuery, ConflictList>
  counts: ConflictCounts
}

export const createConflictReads = (db: Database, { countsEveryMs }: { countsEveryMs: number }): ConflictReads => ({
  summaries: createCoalescedReads(),
  lists: createCoalescedReads(),
  counts: createConflictCounts(db, { intervalMs: countsEveryMs }),
})

/** Counts the decisions of each source that wait for the writer. */
export async function countQueued({ counts }: Pick<ConflictReads, 'counts'>): Promise<Record<Source, number>> {
  const count = (source: Source) => counts.recent(QUEUED, source)
  const [vndb, igdb, hltb, ra] = await Promise.all([count('vndb'), count('igdb'), count('hltb'), count('ra')])
  return { vndb, igdb, hltb, ra }
}
