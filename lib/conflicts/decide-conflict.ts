import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams, DecisionBody } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import { DomainError } from '../errors.ts'
import { alreadyDecided } from './already-decided.ts'
import type { ConflictsDeps } from './deps.ts'
import { isAboutEntries, UNDECIDED } from './states.ts'
import { candidatesOf, entriesOf } from './stored-values.ts'

interface Choice {
  gameId: ObjectId | null
  entryId: string | null
}

type Decision = ConflictParams & { choice: DecisionBody; admin: SessionUser }

function choiceOf({ source, choice }: Decision): Choice {
  const isEntry = 'entryId' in choice
  if (isEntry !== isAboutEntries(source)) {
    throw new DomainError('INVALID', isEntry ? MESSAGES.decisionNeedsGame : MESSAGES.decisionNeedsEntry)
  }
  if (isEntry) return { gameId: null, entryId: choice.entryId }
  return { gameId: choice.gameId === null ? null : new ObjectId(choice.gameId), entryId: null }
}

async function explainRefusal(
  { db }: Pick<ConflictsDeps, 'db'>,
  { source, externalId }: ConflictParams,
  { gameId, entryId }: Choice,
): Promise<DomainError> {
  const record = await db.conflicts.findOne<ConflictDocument>(
    { source, externalId },
    { projection: { externalId: 1, decidedBy: 1, 'candidates.gameId': 1, 'entries.id': 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (record === null) return new DomainError('NOT_FOUND', MESSAGES.conflictNotFound)
  if (gameId !== null && !candidatesOf(record).some((candidate) => candidate.gameId.equals(gameId))) {
    return new DomainError('INVALID', MESSAGES.notACandidate)
  }
  if (entryId !== null && !entriesOf(record).some(({ id }) => id === entryId)) {
    return new DomainError('INVALID', MESSAGES.notAnEntry)
  }
  return alreadyDecided(record)
}

/**
 * Decides a waiting conflict: queues it to be matched with one of its candidates or entries, or to be skipped. Of several
 * decisions at once the first one stands.
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT
 */
export async function decideConflict(deps: Pick<ConflictsDeps, 'db'>, decision: Decision): Promise<ConflictDecided> {
  const { source, externalId, admin } = decision
  const choice = choiceOf(decision)
  const { gameId, entryId } = choice
  const isMatch = gameId !== null || entryId !== null

  const { matchedCount } = await deps.db.conflicts.updateOne(
    {
      source,
      externalId,
      ...UNDECIDED,
      ...(gameId && { 'candidates.gameId': gameId }),
      ...(entryId !== null && { 'entries.id': entryId }),
    },
    [
      {
        $set: {
          decision: isMatch ? 'match' : 'skip',
          winner: gameId,
          winnerEntryId: { $literal: entryId },
          decidedBy: { userId: admin._id, userName: { $literal: admin.userName } },
          failure: null,
          updatedAt: '$$NOW',
        },
      },
    ],
    { maxTimeMS: MAX_TIME_MS },
  )
  if (matchedCount === 0) throw await explainRefusal(deps, decision, choice)

  return { source, externalId, state: isMatch ? 'queued-match' : 'queued-new', decidedBy: admin.userName }
}
