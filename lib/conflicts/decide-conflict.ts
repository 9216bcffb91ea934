import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams, DecisionBody } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { VersionedEvent } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { createSentBy } from '../events/sent-by.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { ConflictsDeps } from './deps.ts'
import { isAboutEntries, QUEUED, refuseDecided, toStaffTarget, UNDECIDED, WAITING } from './states.ts'
import { listCandidates, listEntries } from './stored-values.ts'

/** The chosen game or entry; both null for a skip. */
interface Choice {
  gameId: ObjectId | null
  entryId: string | null
}

type DecideConflictInput = ConflictParams & { choice: DecisionBody; admin: SessionUser }

function toChoice({ source, choice }: DecideConflictInput): Choice {
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
  if (gameId !== null && !listCandidates(record).some((candidate) => candidate.gameId.equals(gameId))) {
    return new DomainError('INVALID', MESSAGES.notACandidate)
  }
  if (entryId !== null && !listEntries(record).some(({ id }) => id === entryId)) {
    return new DomainError('INVALID', MESSAGES.notAnEntry)
  }
  return refuseDecided(record)
}

/** Stores a decision and its staff action. @returns null when the conflict does not wait, or has no such choice */
async function write(
  deps: Pick<ConflictsDeps, 'db' | 'clock' | 'instance' | 'failpoint'>,
  { source, externalId, admin, choice }: DecideConflictInput,
  { gameId, entryId }: Choice,
) {
  const filter = {
    source,
    externalId,
    ...UNDECIDED,
    ...(gameId && { 'candidates.gameId': gameId }),
    ...(entryId !== null && { 'entries.id': entryId }),
  }
  const $set = {
    decision: gameId === null && entryId === null ? 'skip' : 'match',
    decisionId: new ObjectId(),
    winner: gameId,
    winnerEntryId: entryId,
    decidedBy: { userId: admin._id, userName: admin.userName },
    failure: null,
    sentBy: createSentBy(deps),
  } as const

  return await deps.db.transaction(async (session) => {
    const decided = await deps.db.conflicts.findOneAndUpdate(
      filter,
      { $set, $inc: { rev: 1 }, $currentDate: { updatedAt: true } },
      { session, returnDocument: 'after', projection: { rev: 1, source: 1, externalId: 1, externalName: 1 } },
    )
    if (decided === null) return null
    await deps.failpoint('conflict:decided')
    const action = { admin, action: 'conflict-decided', target: toStaffTarget(decided), details: choice } as const
    await recordStaffAction(deps, action, { session })
    await deps.failpoint('conflict:recorded')
    return decided
  })
}

/**
 * Decides a waiting conflict: queues it to be matched with one of its candidates or entries, or to be skipped. The
 * first of several decisions at once stands.
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT
 */
export async function decideConflict(
  deps: Pick<ConflictsDeps, 'db' | 'clock' | 'instance' | 'failpoint' | 'conflictReads'>,
  input: DecideConflictInput,
): Promise<VersionedEvent<ConflictDecided>> {
  const { source, externalId, admin } = input
  const choice = toChoice(input)
  const decided = await write(deps, input, choice)
  if (decided === null) throw await explainRefusal(deps, input, choice)

  deps.conflictReads.counts.moved(source, WAITING, QUEUED)
  await deps.failpoint('conflict:written')
  const state = choice.gameId === null && choice.entryId === null ? 'queued-new' : 'queued-match'
  return {
    payload: { source, externalId, state, decidedBy: admin.userName },
    version: { rev: decided.rev, documentId: decided._id.toHexString() },
  }
}
