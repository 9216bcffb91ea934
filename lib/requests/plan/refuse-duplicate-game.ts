import { ObjectId } from 'mongodb'
import { POSSIBLE_DUPLICATES_MESSAGE } from '../../contract/messages.ts'
import type { GamePayload } from '../../contract/requests.ts'
import { DomainError } from '../../errors.ts'
import { findMatches } from '../../matching/find-matches.ts'
import type { MatchSubject } from '../../matching/match.ts'
import { LIKELY_DUPLICATE_SCORE } from '../../matching/weights.ts'
import { normalise } from '../../names/normalise-name.ts'
import { toIsoDay } from '../../values/calendar-day.ts'
import type { Approval } from '../approval/approval-context.ts'
import type { RequestsDeps } from '../deps.ts'

type NewGame = GamePayload & { name: string }

const MOST_DUPLICATES = 20

function companiesOf({ companies = [], developer, publisher }: NewGame): string[] {
  const names = [...companies.map(({ name }) => name), developer, publisher].filter((name) => name !== undefined)
  return [...new Map(names.map((name) => [normalise(name), name])).values()]
}

function subjectOf(game: NewGame): MatchSubject {
  const { name, alternative_names = [], type = null, first_release, platformIds = [] } = game
  return {
    name,
    alternativeNames: alternative_names,
    type,
    released: first_release === undefined ? null : toIsoDay(first_release),
    companies: companiesOf(game),
    platformIds: platformIds.map((id) => new ObjectId(id)),
    genres: [],
    summary: game.summary ?? null,
  }
}

/**
 * Waits until nobody else makes a game of this name, and sees to it that the catalogue has none that is likely the same.
 * @throws DomainError CONFLICT with `duplicates`, unless the approval is forced
 */
export async function refuseDuplicateGame(
  deps: Pick<RequestsDeps, 'db'>,
  approval: Approval,
  game: NewGame,
): Promise<void> {
  await approval.holdName(game.name)
  if (approval.force) return

  const matches = await findMatches(deps, subjectOf(game), { take: MOST_DUPLICATES })
  const duplicates = matches
    .filter(({ score }) => score >= LIKELY_DUPLICATE_SCORE)
    .map(({ gameId, name, slug, score }) => ({ _id: gameId.toHexString(), name, slug, score: Math.round(score * 100) }))
  if (duplicates.length > 0) throw new DomainError('CONFLICT', POSSIBLE_DUPLICATES_MESSAGE, { duplicates })
}
