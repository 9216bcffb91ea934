import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictParams, ConflictSummary, DecisionBody } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import type { ConflictDecided } from '../../contract/namespaces/conflicts.ts'
import type { ConflictDocument } from '../../infrastructure/db/collections/conflicts.ts'
import type { Changed } from '../../infrastructure/events/emitter.ts'
import type { Actor } from '../auth/actor.ts'
import { changeConflict, inConflict } from './change-conflict.ts'
import type { ConflictsDeps } from './deps.ts'
import { assertWaiting, isAboutEntries, QUEUED, WAITING } from './states.ts'
import { listCandidates, listEntries } from './stored-values.ts'
import { summarizeConflicts } from './summarize-conflicts.ts'
import type { BatchWriter } from './writer/batch-writer.ts'

type DecideConflictInput = ConflictParams & { choice: DecisionBody }

function assertDecidable(record: ConflictDocument, gameId: string | null, entryId: string | null): void {
  if (gameId !== null && !listCandidates(record).some((candidate) => candidate.gameId.toHexString() === gameId)) {
    throw new DomainError('INVALID', MESSAGES.notACandidate)
  }
  if (entryId !== null && !listEntries(record).some(({ id }) => id === entryId)) {
    throw new DomainError('INVALID', MESSAGES.notAnEntry)
  }
  assertWaiting(record)
}

async function writeDecision(
  deps: ConflictsDeps,
  actor: Actor,
  { choice, ...conflict }: DecideConflictInput,
): Promise<Changed<void, ConflictDecided>> {
  const { source } = conflict
  const { _id: userId, userName } = actor.user
  if ('entryId' in choice !== isAboutEntries(source)) {
    throw new DomainError('INVALID', isAboutEntries(source) ? MESSAGES.decisionNeedsEntry : MESSAGES.decisionNeedsGame)
  }
  const gameId = 'gameId' in choice ? choice.gameId : null
  const entryId = 'entryId' in choice ? choice.entryId : null
  const isSkip = gameId === null && entryId === null
  const version = await changeConflict(deps, actor, conflict, {
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
    assertAllowed: (before) => assertDecidable(before, gameId, entryId),
  })
  deps.conflictCounts.moved(source, WAITING, QUEUED)
  await deps.failpoint('conflict:written')
  const state = isSkip ? 'queued-new' : 'queued-match'
  return { result: undefined, event: { payload: { ...conflict, state, decidedBy: userName }, version } }
}

/**
 * Decides a waiting conflict: queues it to be matched with one of its candidates or entries, or to be skipped. The
 * first of several decisions at once stands.
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT
 */
export async function decideConflict(
  deps: ConflictsDeps & { batchWriter: Pick<BatchWriter, 'wake'> },
  actor: Actor,
  input: DecideConflictInput,
): Promise<ConflictSummary> {
  await inConflict(deps, actor, input, () => writeDecision(deps, actor, input))
  deps.batchWriter.wake(input.source)
  return await summarizeConflicts(deps, { source: input.source, isRecent: true })
}
