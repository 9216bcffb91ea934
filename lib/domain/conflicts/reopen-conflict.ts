import type { ClientSession } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictParams, ConflictSummary } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import { SOURCE_POLICIES } from '../../contract/sources.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import type { Actor } from '../auth/actor.ts'
import { unlinkEntry } from '../catalogue/games/write-entry.ts'
import { changeConflict, conflictNotFound, inConflict } from './change-conflict.ts'
import type { ConflictsDeps } from './deps.ts'
import { rematchConflict } from './rematch-conflict.ts'
import { CLOSED, UNDECIDED, WAITING } from './states.ts'
import { summarizeConflicts } from './summarize-conflicts.ts'
import { findWinnerId } from './to-wire.ts'
import { chosenEntryId } from './writer/find-decisions.ts'

const isAutomaticMatch = ({ status, isAutomatic }: ConflictDocument) => status === 'resolved' && isAutomatic === true

function assertReopenable(record: ConflictDocument): void {
  if (record.status !== 'absent' && !isAutomaticMatch(record))
    throw new DomainError('CONFLICT', MESSAGES.conflictNotSkipped)
}

/** Takes an automatic match back. The game keeps the fields that it was given, because what they were is not stored. */
async function unlinkMatch(deps: ConflictsDeps, before: ConflictDocument, session: ClientSession) {
  const gameId = isAutomaticMatch(before) ? findWinnerId(before) : null
  if (gameId === null) return undefined
  await unlinkEntry(deps, { gameId, source: before.source, id: chosenEntryId(before), session })
  await deps.failpoint('conflict:unlinked')
  return { gameId: gameId.toHexString(), note: MESSAGES.parsedFieldsStay }
}

async function writeReopening(
  deps: ConflictsDeps,
  actor: Actor,
  conflict: ConflictParams,
): Promise<Changed<void, ConflictDecided>> {
  const { source, externalId } = conflict
  const { _id: userId, userName } = actor.user
  // A stored entry finds games again. Entries of a source are found by its parser only.
  const canRematch = SOURCE_POLICIES[source].direction === 'games'
  const closed = await deps.db.conflicts.findOne({ source, externalId })
  if (!canRematch && !(closed && isAutomaticMatch(closed))) {
    throw new DomainError('INVALID', MESSAGES.rematchImpossible)
  }
  if (closed === null) throw conflictNotFound()
  assertReopenable(closed)
  const rematched = canRematch ? await rematchConflict(deps, closed) : {}
  const version = await changeConflict(deps, actor, conflict, {
    fields: {
      ...rematched,
      ...UNDECIDED,
      winner: null,
      winnerEntryId: null,
      decidedBy: null,
      isAutomatic: false,
      reopenedBy: { userId, userName },
      failure: null,
    },
    action: 'conflict-reopened',
    step: 'conflict:reopened',
    assertAllowed: assertReopenable,
    alsoWrite: (before, session) => unlinkMatch(deps, before, session),
  })
  deps.conflictCounts.moved(source, CLOSED, WAITING)
  await deps.failpoint('conflict:written')
  return { result: undefined, event: { payload: { ...conflict, state: 'waiting', decidedBy: userName }, version } }
}

/**
 * Puts a skipped conflict or an automatic match back to review, with candidates matched afresh. A game that the skip
 * created stays, and is the first of them; the game of a match loses the entry.
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
