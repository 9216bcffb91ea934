import type { ConflictReason } from '#lib/contract/conflicts'
import type { ConflictDocument, StoredEntry } from '#lib/infrastructure/db/collections/conflicts'
import { findOtherLink, isLinkable } from '../../catalogue/games/linked-ids.ts'
import { findMatches, MAX_STEPS_PER_CHECK, scoreGames } from '../../matching/find-matches.ts'
import type { GameMatch } from '../../matching/match.ts'
import { findReviewReason } from '../../matching/review-reason.ts'
import { prepareSubject } from '../../matching/score.ts'
import { createStepBudget } from '../../matching/step-budget.ts'
import { WORTH_SHOWING_SCORE } from '../../matching/weights.ts'
import { MAX_CANDIDATES, toMatchSubject, toStoredCandidate } from '../candidates.ts'
import type { ConflictsDeps } from '../deps.ts'
import type { PlatformFinder } from './find-platforms.ts'
import type { Target } from './find-standing-outcome.ts'
import { STANDING_GAME_FIELDS, type StandingGame } from './load-standings.ts'

/** What the matcher says of an entry. */
export interface MatchedEntry {
  fields: Pick<ConflictDocument, 'candidates' | 'entries'> & { reason: ConflictReason | null }
  /** The plain match, if a background decision may link it. */
  sure: Target | null
  /** True when the entry is like no game of the catalogue. */
  isUnlike: boolean
}

type Named = Pick<ConflictDocument, 'source' | 'externalId'>

/** True when a match in the background may link an entry to a game. */
const isFree = (game: StandingGame, source: Named['source'], id: string): boolean =>
  game.isStopParsing !== true && isLinkable(game, source) && findOtherLink(game, { source, id }) === undefined

/** Compares an entry with the games of the catalogue. */
export async function matchWithGames(
  { db }: Pick<ConflictsDeps, 'db'>,
  record: Named & Pick<ConflictDocument, 'externalName' | 'externalData'>,
): Promise<MatchedEntry> {
  const { source, externalId } = record
  const found = await findMatches({ db }, toMatchSubject(record), { take: MAX_CANDIDATES })
  const shown = found.filter(({ score }) => score >= WORTH_SHOWING_SCORE)
  const reason = findReviewReason(shown)
  const [best] = shown
  const game =
    best === undefined || reason !== null
      ? null
      : await db.games.findOne<StandingGame>({ _id: best.gameId }, { projection: STANDING_GAME_FIELDS })
  const sure = game !== null && isFree(game, source, externalId) ? { gameId: game._id, entryId: externalId } : null
  return { fields: { candidates: shown.map(toStoredCandidate), reason }, sure, isUnlike: best === undefined }
}

interface ScoredEntry {
  entry: StoredEntry
  match: GameMatch | undefined
}

const toPercent = ({ match }: ScoredEntry) => Math.round((match?.score ?? 0) * 100)

/** Compares a game with entries of a source, which name no company. */
export async function matchWithEntries(
  game: StandingGame,
  source: Named['source'],
  entries: readonly StoredEntry[],
  toPlatformIds: PlatformFinder,
): Promise<MatchedEntry> {
  const budget = createStepBudget(MAX_STEPS_PER_CHECK)
  const scored: ScoredEntry[] = []
  for (const entry of entries) {
    const released = entry.releaseYear?.toString().padStart(4, '0') ?? null
    const subject = prepareSubject({ name: entry.name, released, platformIds: toPlatformIds(entry.platforms ?? []) })
    const [match] = await scoreGames(subject, [game], budget)
    scored.push({ entry, match })
  }
  scored.sort((a, b) => (b.match?.score ?? 0) - (a.match?.score ?? 0))
  const shown = scored.flatMap(({ match }) => (match && match.score >= WORTH_SHOWING_SCORE ? [match] : []))
  const reason = findReviewReason(shown, { namesCompanies: false })
  const best = shown.length > 0 && reason === null ? scored[0]?.entry : undefined
  const sure = best !== undefined && isFree(game, source, best.id) ? { gameId: game._id, entryId: best.id } : null
  const stored = scored.map((candidate) => ({ ...candidate.entry, score: toPercent(candidate) }))
  return { fields: { entries: stored, reason }, sure, isUnlike: false }
}
