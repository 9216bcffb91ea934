import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { ConflictsDeps } from './deps.ts'
import { toConflictState } from './states.ts'

interface UnansweredDecision {
  event: ConflictDecided
  /** The announcement that the write carried. */
  said: string
}

/**
 * Announces a decision or a reopening whose answer was lost, if it is stored and stands. A later change of the conflict was
 * announced by whoever made it.
 */
export async function announceDecisionAgain(
  { db, emit }: Pick<ConflictsDeps, 'db' | 'emit'>,
  { event, said }: UnansweredDecision,
): Promise<void> {
  const { source, externalId, state } = event
  const record = await db.conflicts.findOne<Pick<ConflictDocument, '_id' | 'status' | 'decision' | 'rev'>>(
    { source, externalId, said },
    { projection: { status: 1, decision: 1, rev: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (record === null || toConflictState(record) !== state) return
  emit.conflicts.decided(event, { rev: record.rev, documentId: record._id.toHexString() })
}
