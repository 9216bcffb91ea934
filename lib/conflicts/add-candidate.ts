import { ObjectId } from 'mongodb'
import type { SessionUser } from '../auth/session-user.ts'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams } from '../contract/conflicts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument, StoredCandidate } from '../db/collections/conflicts.ts'
import { mapByIds } from '../db/find-by-ids.ts'
import { DomainError } from '../errors.ts'
import { createSentBy } from '../events/sent-by.ts'
import { recordStaffAction } from '../staff/record-staff-action.ts'
import type { ConflictsDeps } from './deps.ts'
import { isAboutEntries, refuseDecided, toConflictState, toStaffTarget, UNDECIDED } from './states.ts'
import { NAMED_GAME_FIELDS, type NamedGame } from './to-wire.ts'

/** No rule weighed it: an admin chose it. */
const CHOSEN_BY_HAND = { score: 100, isManual: true } as const

async function explainRefusal(db: ConflictsDeps['db'], { source, externalId }: ConflictParams): Promise<DomainError> {
  const record = await db.conflicts.findOne<ConflictDocument>(
    { source, externalId },
    { projection: { externalId: 1, status: 1, decision: 1, decidedBy: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (record === null) return new DomainError('NOT_FOUND', MESSAGES.conflictNotFound)
  return toConflictState(record) === 'waiting'
    ? new DomainError('CONFLICT', MESSAGES.candidateListed)
    : refuseDecided(record)
}

/**
 * Puts a game that was found by hand before the other candidates of a waiting conflict.
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT when it is there already or the conflict is decided
 */
export async function addCandidate(
  deps: Pick<ConflictsDeps, 'db' | 'clock' | 'instance' | 'failpoint'>,
  { source, externalId, gameId: hex, admin }: ConflictParams & { gameId: string; admin: SessionUser },
): Promise<void> {
  if (isAboutEntries(source)) throw new DomainError('INVALID', MESSAGES.candidatesAreEntries)
  const gameId = new ObjectId(hex)
  const game = (await mapByIds<NamedGame>(deps.db.games, [gameId], NAMED_GAME_FIELDS)).get(hex)
  if (game === undefined) throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)

  const candidate: StoredCandidate = { gameId, slug: game.slug, name: game.name, ...CHOSEN_BY_HAND }
  const others = { $cond: [{ $isArray: '$candidates' }, '$candidates', []] }
  const candidates = { $concatArrays: [[{ $literal: candidate }], others] }
  const isAdded = await deps.db.transaction(async (session) => {
    const changed = await deps.db.conflicts.findOneAndUpdate(
      { source, externalId, ...UNDECIDED, 'candidates.gameId': { $ne: gameId } },
      [{ $set: { candidates, sentBy: createSentBy(deps), updatedAt: '$$NOW' } }],
      { session, projection: { source: 1, externalId: 1, externalName: 1 } },
    )
    if (changed === null) return false
    await deps.failpoint('conflict:candidate-added')
    const action = {
      admin,
      action: 'candidate-added',
      target: toStaffTarget(changed),
      details: { gameId: hex },
    } as const
    await recordStaffAction(deps, action, { session })
    return true
  })
  if (!isAdded) throw await explainRefusal(deps.db, { source, externalId })
}
