import { DomainError } from '../../base/errors.ts'
import type { ConflictParams, ConflictSummary } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import { SOURCE_POLICIES } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import type { Actor } from '../auth/actor.ts'
import { changeConflict, conflictNotFound, inConflict } from './change-conflict.ts'
import type { ConflictsDeps } from './deps.ts'
import { rematchConflict } from './rematch-conflict.ts'
import { CLOSED, UNDECIDED, WAITING } from './states.ts'
import { summarizeConflicts } from './summarize-conflicts.ts'

function assertSkipped(record: ConflictDocument): void {
  if (record.status !== 'absent') throw new DomainError('CONFLICT', MESSAGES.conflictNotSkipped)
}

async function writeReopening(
  deps: ConflictsDeps,
  actor: Actor,
  conflict: ConflictParams,
): Promise<Changed<void, ConflictDecided>> {
  const { source, externalId } = conflict
  const { _id: userId, userName } = actor.user
  if (!SOURCE_POLICIES[source].canRematch) throw new DomainError('INVALID', MESSAGES.rematchImpossible)
  const skipped = await deps.db.conflicts.findOne({ source, externalId })
  if (skipped === null) throw conflictNotFound()
  assertSkipped(skipped)
  const rematched = await rematchConflict(deps, skipped)
  const version = await changeConflict(deps, actor, conflict, {
    fields: {
      ...rematched,
      ...UNDECIDED,
      winner: null,
      winnerEntryId: null,
      decidedBy: null,
      reopenedBy: { userId, userName },
      failure: null,
    },
    action: 'conflict-reopened',
    step: 'conflict:reopened',
    assertAllowed: assertSkipped,
  })
  deps.conflictCounts.moved(source, CLOSED, WAITING)
  await deps.failpoint('conflict:written')
  return { result: undefined, event: { payload: { ...conflict, state: 'waiting', decidedBy: userName }, version } }
}

/**
 * Puts a skipped conflict back to review, with candidates matched afresh. A game that the skip created stays, and is the
 * first of them.
 * @throws DomainError INVALID where the source cannot be matched again, NOT_FOUND, CONFLICT
 */
export async function reopenConflict(
  deps: ConflictsDeps,
  actor: Actor,
  conflict: ConflictParams,
): Promise<ConflictSummary> {
  await inConflict(deps, actor, conflict, () => writeReopening(deps, actor, conflict))
  return await summarizeConflicts(deps, { source: conflict.source, isRecent: true })
}
