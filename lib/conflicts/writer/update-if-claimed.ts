import type { Document } from 'mongodb'
import { WRITER_MAX_WAIT_MS } from '../../concurrency/timeouts.ts'
import { conflictQueueKey } from '../conflict-key.ts'
import type { ClaimedDecision } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'

/**
 * Changes a record that is still pending with the decision that was applied, and still claimed under the same token.
 * @param set in the form of a pipeline's `$set`
 * @returns false when it is not
 */
export async function updateIfClaimed(
  { db, probe, queue }: Pick<WriterDeps, 'db' | 'probe' | 'queue'>,
  { record, set }: { record: ClaimedDecision; set: Document },
): Promise<boolean> {
  const { _id, decision, fencingToken } = record
  await probe('writer:settle')
  const { matchedCount } = await queue.run(
    conflictQueueKey(record),
    () =>
      db.conflicts.updateOne({ _id, status: 'pending', decision, fencingToken }, [
        { $set: { ...set, updatedAt: '$$NOW' } },
      ]),
    { maxWaitMs: WRITER_MAX_WAIT_MS },
  )
  await probe('writer:settled')
  return matchedCount === 1
}
