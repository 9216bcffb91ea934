import { ObjectId } from 'mongodb'
import { MAX_TIME_MS } from '../concurrency/timeouts.ts'
import type { ConflictParams } from '../contract/conflicts.ts'
import { MESSAGES } from '../contract/messages.ts'
import type { ConflictDocument, StoredCandidate } from '../db/collections/conflicts.ts'
import { mapByIds } from '../db/find-by-ids.ts'
import { DomainError } from '../errors.ts'
import type { ConflictsDeps } from './deps.ts'
import { isAboutEntries, refuseDecided, toConflictState, UNDECIDED } from './states.ts'
import { textOr } from './stored-values.ts'
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
 * @returns what the conflict is called
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT when it is there already or the conflict is decided
 */
export async function addCandidate(
  deps: Pick<ConflictsDeps, 'db'>,
  { source, externalId, gameId: hex }: ConflictParams & { gameId: string },
): Promise<{ externalName: string }> {
  if (isAboutEntries(source)) throw new DomainError('INVALID', MESSAGES.candidatesAreEntries)
  const gameId = new ObjectId(hex)
  const game = (await mapByIds<NamedGame>(deps.db.games, [gameId], NAMED_GAME_FIELDS)).get(hex)
  if (game === undefined) throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)

  const candidate: StoredCandidate = { gameId, slug: game.slug, name: game.name, ...CHOSEN_BY_HAND }
  const others = { $cond: [{ $isArray: '$candidates' }, '$candidates', []] }
  const changed = await deps.db.conflicts.findOneAndUpdate(
    { source, externalId, ...UNDECIDED, 'candidates.gameId': { $ne: gameId } },
    [{ $set: { candidates: { $concatArrays: [[{ $literal: candidate }], others] }, updatedAt: '$$NOW' } }],
    { projection: { externalName: 1 }, maxTimeMS: MAX_TIME_MS },
  )
  if (changed === null) throw await explainRefusal(deps.db, { source, externalId })
  return { externalName: textOr(changed.externalName, externalId) }
}
