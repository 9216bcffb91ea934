import { ObjectId } from 'mongodb'
import type { GamePayload } from '../../contract/game-payload.ts'
import { POSSIBLE_DUPLICATES_MESSAGE } from '../../contract/messages.ts'
import { DomainError } from '../../errors.ts'
import { findMatches } from '../../matching/find-matches.ts'
import type { MatchSubject } from '../../matching/match.ts'
import { LIKELY_DUPLICATE_SCORE } from '../../matching/weights.ts'
import { normalise } from '../../names/normalise-name.ts'
import { toIsoDay } from '../../values/calendar-day.ts'
import type { ApprovalContext } from '../approval/approval-context.ts'
import type { RequestsDeps } from '../deps.ts'

type NewGame = GamePayload & { name: string }

const MAX_DUPLICATES = 20

function listCompanies({ companies = [], developer, publisher }: NewGame): string[] {
  const names = [...companies.map(({ name }) => name), developer, publisher].filter((name) => name !== undefined)
  return [...new Map(names.map((name) => [normalise(name), name])).values()]
}

function toMatchSubject(game: NewGame): MatchSubject {
  const { name, alternative_names = [], type = null, first_release, platformIds = [] } = game
  return {
    name,
    alternativeNames: alternative_names,
    type,
    released: first_release === undefined ? null : toIsoDay(first_release),
    companies: listCompanies(game),
    platformIds: platformIds.map((id) => new ObjectId(id)),
    genres: [],
    summary: game.summary ?? null,
  }
}

/**
 * Locks the name of a new game, then refuses it where the catalogue has a game that is likely the same.
 * @throws DomainError CONFLICT with `duplicates`, unless the approval is forced
 */
export async function refuseDuplicateGame(
  deps: Pick<RequestsDeps, 'db' | 'failpoint'>,
  { locks, choice }: ApprovalContext,
  game: NewGame,
): Promise<void> {
  await locks.lockName(game.name)
  if (choice.force) return
  await deps.failpoint('approval:checking-duplicates')

  const matches = await findMatches(deps, toMatchSubject(game), { take: MAX_DUPLICATES })
  const duplicates = matches
    .filter(({ score }) => score >= LIKELY_DUPLICATE_SCORE)
    .map(({ gameId, name, slug, score }) => ({ _id: gameId.toHexString(), name, slug, score: Math.round(score * 100) }))
  if (duplicates.length > 0) throw new DomainError('CONFLICT', POSSIBLE_DUPLICATES_MESSAGE, { duplicates })
}
