import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams } from '../contract/conflicts.ts'
import type { ConflictDecided } from '../contract/conflicts-namespace.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument } from '../db/collections/conflicts.ts'
import type { VersionedEvent } from '../emitter.ts'
import { DomainError } from '../errors.ts'
import { announcedState, toSaid } from '../events/announcement.ts'
import type { ConflictsDeps } from './deps.ts'
import { rematchConflict } from './rematch-conflict.ts'
import { isAboutEntries } from './states.ts'
import { textOr } from './stored-values.ts'
import { announceDecisionAgain } from './write-decisions.ts'

interface ReopenedConflict {
  event: VersionedEvent<ConflictDecided>
  /** Its name for the staff log. */
  externalName: string
}

type Skipped = Pick<ConflictDocument, 'status' | 'externalName' | 'externalData' | 'winner' | 'createdGameId'>

async function findSkipped(
  { db }: Pick<ConflictsDeps, 'db'>,
  { source, externalId }: ConflictParams,
): Promise<Skipped> {
  const record = await db.conflicts.findOne<Skipped>(
    { source, externalId },
    {
      projection: { status: 1, externalName: 1, externalData: 1, winner: 1, createdGameId: 1 },
      maxTimeMS: MAX_TIME_MS,
    },
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
  deps: Pick<ConflictsDeps, 'db' | 'emit' | 'feed' | 'instance' | 'failpoint'>,
  { source, externalId, admin }: ConflictParams & { admin: SessionUser },
): Promise<ReopenedConflict> {
  if (isAboutEntries(source)) throw new DomainError('INVALID', MESSAGES.rematchImpossible)
  const record = await findSkipped(deps, { source, externalId })
  const { candidates, reason } = await rematchConflict(deps, {
    record,
    createdGameId: record.winner ?? record.createdGameId ?? null,
  })

  const event = { source, externalId, state: 'waiting', decidedBy: admin.userName } as const
  const said = toSaid(deps, { event: 'conflict:decided', payload: event })
  const write = () =>
    deps.db.conflicts.findOneAndUpdate(
      { source, externalId, status: 'absent' },
      [
        {
          $set: {
            status: 'pending',
            decision: null,
            winner: null,
            winnerEntryId: null,
            decidedBy: null,
            failure: null,
            candidates: { $literal: candidates },
            reason,
            // The id that the writer noted stands: a skip may have found a game that had the entry before, and that keeps it.
            createdGameId: { $ifNull: ['$createdGameId', '$winner', '$$REMOVE'] },
            updatedAt: '$$NOW',
            ...announcedState(said),
          },
        },
      ],
      { returnDocument: 'after', projection: { rev: 1 }, maxTimeMS: MAX_TIME_MS },
    )
  const again = () => announceDecisionAgain(deps, { event, said })
  const reopened = await deps.feed.lostAnswers.guard(write, again)
  if (reopened === null) throw new DomainError('CONFLICT', MESSAGES.conflictNotSkipped)

  await deps.failpoint('conflict:written')
  return {
    event: { payload: event, version: { rev: reopened.rev, documentId: reopened._id.toHexString() } },
    externalName: textOr(record.externalName, externalId),
  }
}
