import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams } from '../contract/conflicts.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { ConflictsDeps } from './deps.ts'

type Decided = Pick<ConflictDocument, 'decision' | 'decidedBy'>

function toState({ decision }: Decided) {
  if (decision === 'match') return 'queued-match'
  return decision === 'skip' ? 'queued-new' : 'waiting'
}

/** Announces a pending conflict as it is stored, after the answer to a decision or a reopening was lost. */
export async function announceDecisionAgain(
  { db, emit }: Pick<ConflictsDeps, 'db' | 'emit'>,
  { source, externalId }: ConflictParams,
): Promise<void> {
  const record = await db.conflicts.findOne<Decided>(
    { source, externalId, status: 'pending' },
    { projection: { decision: 1, decidedBy: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (record === null) return
  const event = { source, externalId, state: toState(record), decidedBy: record.decidedBy?.userName ?? null } as const
  emit.conflicts.decided(event)
}
