import type { WriterDeps } from './batch-writer.ts'
import { changeInHand } from './update-if-claimed.ts'
import type { QueuedConflict } from './claimed-decision.ts'

interface Returned {
  record: QueuedConflict
  fence: number
  /** A sentence for the admin who decides again. */
  message: string
}

/** Puts a record whose decision could not be applied back to review. @returns false when another writer has it in hand */
export async function returnDecision(
  deps: Pick<WriterDeps, 'db' | 'inOrder'>,
  { record, fence, message }: Returned,
): Promise<boolean> {
  return changeInHand(deps, {
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
