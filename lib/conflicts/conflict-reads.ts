import { type CoalescedReads, createCoalescedReads } from '../concurrency/coalesced-reads.ts'
import type { ConflictList, ConflictSummary } from '../contract/conflicts.ts'

/** What every open tab reads again after each event. */
export interface ConflictReads {
  /** By source; the empty key is all. */
  summaries: CoalescedReads<ConflictSummary>
  /** By query. */
  lists: CoalescedReads<ConflictList>
  /** How many wait, by source; of items too. */
  waiting: CoalescedReads<number>
}

export const createConflictReads = (): ConflictReads => ({
  summaries: createCoalescedReads(),
  lists: createCoalescedReads(),
  waiting: createCoalescedReads(),
})
