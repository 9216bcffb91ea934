import type { ConflictList, ConflictSummary } from '../contract/conflicts.ts'
import { createJointReads, type JointReads } from '../concurrency/coalesced-reads.ts'

/** What every open tab reads again after each event. */
export interface ConflictReads {
  /** By source; the empty key is all. */
  summaries: JointReads<ConflictSummary>
  /** By query. */
  lists: JointReads<ConflictList>
  /** How many wait, by source; of items too. */
  waiting: JointReads<number>
}

export const createConflictReads = (): ConflictReads => ({
  summaries: createJointReads(),
  lists: createJointReads(),
  waiting: createJointReads(),
})
