import { type CoalescedReads, createCoalescedReads } from '../concurrency/coalesced-reads.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictList, ConflictListQuery, ConflictSummary } from '../contract/conflicts.ts'
import type { Source } from '../contract/sources.ts'
import type { Database } from '../db/connect.ts'
import { QUEUED, WAITING } from './states.ts'

/** Reads that every open tab repeats after each event. */
export interface ConflictReads {
  /** Without a source: all. */
  summaries: CoalescedReads<{ source?: Source | undefined }, ConflictSummary>
  lists: CoalescedReads<ConflictListQuery, ConflictList>
  /** How many wait, for lists and items alike. */
  waiting: CoalescedReads<Source, number>
}

export const createConflictReads = (): ConflictReads => ({
  summaries: createCoalescedReads(),
  lists: createCoalescedReads(),
  waiting: createCoalescedReads(),
})

/** Counts the conflicts of one source that wait for a decision. One source is one range of the index, counted as such. */
export async function countWaiting(
  { db, conflictReads }: { db: Database; conflictReads: ConflictReads },
  { source }: { source: Source },
): Promise<number> {
  return await conflictReads.waiting(source, (source) =>
    db.conflicts.countDocuments({ source, ...WAITING.filter }, { hint: WAITING.index, maxTimeMS: MAX_TIME_MS }),
  )
}

/** Counts the decisions of each source that wait for the writer. */
export async function countQueued({ db }: { db: Database }): Promise<Record<Source, number>> {
  const count = (source: Source) =>
    db.conflicts.countDocuments({ source, ...QUEUED.filter }, { hint: QUEUED.index, maxTimeMS: MAX_TIME_MS })
  const [vndb, igdb, hltb, ra] = await Promise.all([count('vndb'), count('igdb'), count('hltb'), count('ra')])
  return { vndb, igdb, hltb, ra }
}
