import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictParams, ConflictSummary, DecisionBody } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { Actor } from '../auth/actor.ts'
import { changeConflict } from './change-conflict.ts'
import type { ConflictsDeps } from './deps.ts'
import { assertWaiting, isAboutEntries } from './states.ts'
import { listCandidates, listEntries } from './stored-values.ts'
import { summarizeConflicts } from './summarize-conflicts.ts'
import type { BatchWriter } from './writer/batch-writer.ts'

/**
 * Decides a waiting conflict: queues it to be matched with one of its candidates or entries, or to be skipped. The
 * first of several decisions at once stands.
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT
 */
export async function decideConflict(
  deps: ConflictsDeps & { batchWriter: Pick<BatchWriter, 'wake'> },
  actor: Actor,
  { choice, ...conflict }: ConflictParams & { choice: DecisionBody },
): Promise<ConflictSummary> {
  const { source } = conflict
  const { _id: userId, userName } = actor.user
  if ('entryId' in choice !== isAboutEntries(source)) {
    throw new DomainError('INVALID', isAboutEntries(source) ? MESSAGES.decisionNeedsEntry : MESSAGES.decisionNeedsGame)
  }
  const { gameId, entryId } = { gameId: null, entryId: null, ...choice }
  const isSkip = gameId === null && entryId === null
  await changeConflict(deps, actor, conflict, {
    fields: {
      decision: isSkip ? 'skip' : 'match',
      decisionId: new ObjectId(),
      winner: gameId === null ? null : new ObjectId(gameId),
      winnerEntryId: entryId,
      decidedBy: { userId, userName },
      failure: null,
    },
    action: 'conflict-decided',
    details: choice,
    step: 'conflict:decided',
    state: isSkip ? 'queued-new' : 'queued-match',
    assertAllowed(before) {
      if (gameId !== null && !listCandidates(before).some((candidate) => candidate.gameId.toHexString() === gameId)) {
        throw new DomainError('INVALID', MESSAGES.notACandidate)
      }
      if (entryId !== null && !listEntries(before).some(({ id }) => id === entryId)) {
        throw new DomainError('INVALID', MESSAGES.notAnEntry)
      }
      assertWaiting(before)
    },
  })
  deps.batchWriter.wake(source)
  return await summarizeConflicts(deps, { source })
}
