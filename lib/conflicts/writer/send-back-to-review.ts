import type { ClaimedDecision } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'
import { updateIfClaimed } from './update-if-claimed.ts'

interface Returned {
  record: ClaimedDecision
  fence: number
  /** A sentence for the admin who decides again. */
  message: string
}

/** Puts a record whose decision could not be applied back to review. @returns false when another writer has it in hand */
export async function sendBackToReview(
  deps: Pick<WriterDeps, 'db' | 'queue'>,
  { record, fence, message }: Returned,
): Promise<boolean> {
  return updateIfClaimed(deps, {
    record,
    fence,
    set: {
      decision: null,
      winner: null,
      winnerEntryId: null,
      decidedBy: null,
      failure: { message: { $literal: message }, at: '$$NOW' },
    },
  })
}
