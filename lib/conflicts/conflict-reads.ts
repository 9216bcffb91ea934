import { type CoalescedReads, createCoalescedReads } from '../concurrency/coalesced-reads.ts'
import type { ConflictList, ConflictSummary } from '../contract/conflicts.ts'

/** Reads that every open tab repeats after each event. */
export interface ConflictReads {
  /** Summaries by source; the empty key is all. */
  summaries: CoalescedReads<ConflictSummary>
  /** Lists by query. */
  lists: CoalescedReads<ConflictList>
  /** How many wait, by source; of items too. */
  waiting: CoalescedReads<number>
}

export const createConflictReads = (): ConflictReads => ({
  summaries: createCoalescedReads(),
  lists: createCoalescedReads(),
  waiting: createCoalescedReads(),
})
