import type { ObjectId } from 'mongodb'
import type { StoredSubject } from '../../db/collections/conflicts.ts'
import type { ClaimedDecision } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'
import { updateIfClaimed } from './update-if-claimed.ts'

interface Settled {
  record: ClaimedDecision
  fence: number
  /** The game that has the entry now; null for a skip that links nothing. */
  winner: ObjectId | null
  /** The entry as it was read for this. */
  externalData: StoredSubject | null
}

/** Closes a record whose decision is in the catalogue. @returns false when another writer has it in hand */
export async function settleDecision(
  deps: Pick<WriterDeps, 'db' | 'queue'>,
  { record, fence, winner, externalData }: Settled,
): Promise<boolean> {
  return updateIfClaimed(deps, {
    record,
    fence,
    set: {
      status: record.decision === 'match' ? 'resolved' : 'absent',
      winner,
      failure: null,
      ...(externalData && { externalData: { $literal: externalData } }),
    },
  })
}
