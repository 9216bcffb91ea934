import type { Document } from 'mongodb'
import { conflictKey } from '../conflict-key.ts'
import type { ClaimedDecision } from './claimed-decision.ts'
import type { WriterDeps } from './deps.ts'

/** The turn of a record comes after the announcement of its decision, which is a matter of milliseconds. */
const MAX_WAIT_MS = 10_000

interface Change {
  record: ClaimedDecision
  fence: number
  /** In the form of a pipeline's `$set`. */
  set: Document
}

/** Changes a record that is still pending with the decision that was applied, and still in this writer's hand. */
export async function updateIfClaimed(
  { db, queue }: Pick<WriterDeps, 'db' | 'queue'>,
  { record, fence, set }: Change,
): Promise<boolean> {
  const { _id, source, externalId, decision } = record
  const change = () =>
    db.conflicts.updateOne({ _id, status: 'pending', decision, fence }, [{ $set: { ...set, updatedAt: '$$NOW' } }])

  const { matchedCount } = await queue.run(conflictKey({ source, externalId }), change, { maxWaitMs: MAX_WAIT_MS })
  return matchedCount === 1
}
