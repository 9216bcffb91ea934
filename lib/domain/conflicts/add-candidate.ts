import { ObjectId } from 'mongodb'
import { DomainError } from '../../base/errors.ts'
import type { ConflictParams } from '../../contract/conflicts.ts'
import { MESSAGES } from '../../contract/messages.ts'
import { listIn } from '../../infrastructure/db/expressions.ts'
import type { Actor } from '../auth/actor.ts'
import { changeConflict } from './change-conflict.ts'
import type { ConflictsDeps } from './deps.ts'
import { findConflict } from './find-conflict.ts'
import { assertWaiting, isAboutEntries } from './states.ts'
import { listCandidates } from './stored-values.ts'
import { NAMED_GAME_FIELDS } from './to-wire.ts'

/** An admin chose the candidate, so no rule scored it. */
const CHOSEN_BY_HAND = { score: 100, isManual: true } as const

/**
 * Puts a game that was found by hand before the other candidates of a waiting conflict.
 * @throws DomainError INVALID, NOT_FOUND, CONFLICT when it is there already or the conflict is decided
 */
export async function addCandidate(
  deps: ConflictsDeps,
  actor: Actor,
  { gameId: hex, ...conflict }: ConflictParams & { gameId: string },
) {
  if (isAboutEntries(conflict.source)) throw new DomainError('INVALID', MESSAGES.candidatesAreEntries)
  const gameId = new ObjectId(hex)
  const game = await deps.db.games.findOne({ _id: gameId }, { projection: NAMED_GAME_FIELDS })
  if (game === null) throw new DomainError('NOT_FOUND', MESSAGES.gameNotFound)

  const candidate = { gameId, slug: game.slug, name: game.name, ...CHOSEN_BY_HAND }
  await changeConflict(deps, actor, conflict, {
    derived: { candidates: { $concatArrays: [[{ $literal: candidate }], listIn('$candidates')] } },
    action: 'candidate-added',
    details: { gameId: hex },
    step: 'conflict:candidate-added',
    assertAllowed(before) {
      assertWaiting(before)
      if (listCandidates(before).some((other) => other.gameId.equals(gameId))) {
        throw new DomainError('CONFLICT', MESSAGES.candidateListed)
      }
    },
  })
  return await findConflict(deps, conflict)
}
