import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams, ConflictSummary, DecisionBody } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { VersionedEvent } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { toSaid } from '../events/announcement.ts'
import type { ConflictsDeps } from './deps.ts'
import { isAboutEntries, refuseDecided } from './states.ts'
import { listCandidates, listEntries } from './stored-values.ts'
import { announceDecisionAgain, type DecisionToWrite } from './write-decisions.ts'

type Choice = Pick<DecisionToWrite, 'gameId' | 'entryId'>

type DecideConflictInput = ConflictParams & { choice: DecisionBody; admin: SessionUser }

interface DecidedConflict {
  event: VersionedEvent<ConflictDecided>
  /** Resolves when it is in the staff log. */
  recorded: Promise<void>
  /** Counts of the decision's source. */
  summary: Promise<ConflictSummary>
}

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

/**
 * Decides a waiting conflict: queues it to be matched with one of its candidates or entries, or to be skipped. The
 * first of several decisions at once stands.
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT
 */
export async function decideConflict(
  deps: Pick<ConflictsDeps, 'db' | 'decisionWrites' | 'emit' | 'feed' | 'instance' | 'failpoint'>,
  input: DecideConflictInput,
): Promise<DecidedConflict> {
  const { source, externalId, admin } = input
  const choice = toChoice(input)
  const isMatch = choice.gameId !== null || choice.entryId !== null
  const state = isMatch ? 'queued-match' : 'queued-new'
  const event = { source, externalId, state, decidedBy: admin.userName } as const
  const said = toSaid(deps, { event: 'conflict:decided', payload: event })

  const write = async () => {
    const result = await deps.decisionWrites({ source, externalId, ...choice, choice: input.choice, admin, said })
    if (result.outcome === 'failed') throw result.error
    return result
  }
  const again = () => announceDecisionAgain(deps, { event, said })
  // The decision is stored in one command and its record is read in another, which may fail alone.
  const written = await deps.feed.lostAnswers.guard(write, again, { isAfterWrite: true })
  if (written.outcome === 'refused') throw await explainRefusal(deps, input, choice)

  await deps.failpoint('conflict:written')
  const { version, recorded, summary } = written
  return { event: { payload: event, version }, recorded, summary }
}
