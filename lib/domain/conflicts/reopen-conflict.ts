import { DomainError } from '../../base/errors.ts'
import type { ConflictParams } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import { SOURCE_POLICIES } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { VersionedEvent } from '../../infrastructure/events/emitter.ts'
import type { SessionUser } from '../auth/session-user.ts'
import { changeConflict, conflictNotFound } from './change-conflict.ts'
import type { ConflictsDeps } from './deps.ts'
import { rematchConflict } from './rematch-conflict.ts'
import { CLOSED, UNDECIDED, WAITING } from './states.ts'

function assertSkipped(record: ConflictDocument): void {
  if (record.status !== 'absent') throw new DomainError('CONFLICT', MESSAGES.conflictNotSkipped)
}

/**
 * Puts a skipped conflict back to review, with candidates matched afresh. A game that the skip created stays, and is the
 * first of them.
 * @throws DomainError INVALID where the source cannot be matched again, NOT_FOUND, CONFLICT
 */
export async function reopenConflict(
  deps: ConflictsDeps,
  input: ConflictParams & { admin: SessionUser },
): Promise<VersionedEvent<ConflictDecided>> {
  const { source, externalId, admin } = input
  if (!SOURCE_POLICIES[source].canRematch) throw new DomainError('INVALID', MESSAGES.rematchImpossible)
  const skipped = await deps.db.conflicts.findOne({ source, externalId })
  if (skipped === null) throw conflictNotFound()
  assertSkipped(skipped)
  const rematched = await rematchConflict(deps, skipped)
  const version = await changeConflict(deps, input, {
    fields: {
      ...rematched,
      ...UNDECIDED,
      winner: null,
      winnerEntryId: null,
      decidedBy: null,
      reopenedBy: { userId: admin._id, userName: admin.userName },
      failure: null,
    },
    action: 'conflict-reopened',
    step: 'conflict:reopened',
    assertAllowed: assertSkipped,
  })
  deps.conflictCounts.moved(source, CLOSED, WAITING)
  await deps.failpoint('conflict:written')
  return { payload: { source, externalId, state: 'waiting', decidedBy: admin.userName }, version }
}
