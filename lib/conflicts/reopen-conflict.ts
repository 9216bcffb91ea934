import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { VersionedEvent } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { createSentBy } from '../events/sent-by.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { ConflictsDeps } from './deps.ts'
import { rematchConflict } from './rematch-conflict.ts'
import { CLOSED, isAboutEntries, toStaffTarget, WAITING } from './states.ts'

type Skipped = Pick<ConflictDocument, 'status' | 'externalName' | 'externalData' | 'winner'>

async function findSkipped(
  { db }: Pick<ConflictsDeps, 'db'>,
  { source, externalId }: ConflictParams,
): Promise<Skipped> {
  const record = await db.conflicts.findOne<Skipped>(
    { source, externalId },
    { projection: { status: 1, externalName: 1, externalData: 1, winner: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (record === null) throw new DomainError('NOT_FOUND', MESSAGES.conflictNotFound)
  if (record.status !== 'absent') throw new DomainError('CONFLICT', MESSAGES.conflictNotSkipped)
  return record
}

/**
 * Puts a skipped conflict back to review, with candidates matched afresh. A game that the skip created stays, and is the
 * first of them.
 * @throws DomainError INVALID for `hltb`, NOT_FOUND, CONFLICT
 */
export async function reopenConflict(
  deps: Pick<ConflictsDeps, 'db' | 'clock' | 'instance' | 'failpoint' | 'conflictReads'>,
  { source, externalId, admin }: ConflictParams & { admin: SessionUser },
): Promise<VersionedEvent<ConflictDecided>> {
  if (isAboutEntries(source)) throw new DomainError('INVALID', MESSAGES.rematchImpossible)
  const record = await findSkipped(deps, { source, externalId })
  const { candidates, reason } = await rematchConflict(deps, { record, createdGameId: record.winner ?? null })
  const $set = {
    status: 'pending',
    decision: null,
    winner: null,
    winnerEntryId: null,
    decidedBy: null,
    reopenedBy: { userId: admin._id, userName: admin.userName },
    failure: null,
    candidates,
    reason,
    sentBy: createSentBy(deps),
  } as const

  const reopened = await deps.db.transaction(async (session) => {
    const changed = await deps.db.conflicts.findOneAndUpdate(
      { source, externalId, status: 'absent' },
      { $set, $inc: { rev: 1 }, $currentDate: { updatedAt: true } },
      { session, returnDocument: 'after', projection: { rev: 1, source: 1, externalId: 1, externalName: 1 } },
    )
    if (changed === null) throw new DomainError('CONFLICT', MESSAGES.conflictNotSkipped)
    await deps.failpoint('conflict:reopened')
    await recordStaffAction(deps, { admin, action: 'conflict-reopened', target: toStaffTarget(changed) }, { session })
    await deps.failpoint('conflict:recorded')
    return changed
  })
  deps.conflictReads.counts.moved(source, CLOSED, WAITING)
  await deps.failpoint('conflict:written')
  return {
    payload: { source, externalId, state: 'waiting', decidedBy: admin.userName },
    version: { rev: reopened.rev, documentId: reopened._id.toHexString() },
  }
}
