import type { ConflictReason } from '#lib/contract/conflicts'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument, StoredEntry } from '#lib/infrastructure/db/collections/conflicts'
import { mapByIds } from '#lib/infrastructure/db/find-by-ids'
import { findOtherLink, isLinkable } from '../../catalogue/games/linked-ids.ts'
import type { PlatformFinder } from '../../catalogue/platforms/find-platforms.ts'
import { findMatchesOfEach, MAX_STEPS_PER_CHECK, scoreGames } from '../../matching/find-matches.ts'
import type { GameMatch } from '../../matching/match.ts'
import { prepareSubject } from '../../matching/prepare-subject.ts'
import { findReviewReason } from '../../matching/review-reason.ts'
import { createStepBudget } from '../../matching/step-budget.ts'
import { WORTH_SHOWING_SCORE } from '../../matching/weights.ts'
import { CANDIDATE_OPTIONS, toMatchSubject, toStoredCandidate } from '../candidates.ts'
import type { ConflictsDeps } from '../deps.ts'
import type { Target } from './find-standing-outcome.ts'
import { LINK_FACTS, type StandingGame } from './load-standings.ts'

/** What the matcher says of an entry. */
export interface MatchedEntry {
  fields: Pick<ConflictDocument, 'candidates' | 'entries'> & { reason: ConflictReason | null }
  /** The plain match, if a background decision may link it. */
  sure: Target | null
  /** True when the entry is like no game of the catalogue. */
  isUnlike: boolean
}

type LinkFacts = Pick<StandingGame, '_id' | keyof typeof LINK_FACTS>

/** True when a match in the background may link an entry to a game. */
const isFree = (game: LinkFacts, source: Source, id: string): boolean =>
  game.isStopParsing !== true && isLinkable(game, source) && findOtherLink(game, { source, id }) === undefined

type NamedEntry = Pick<ConflictDocument, 'externalId' | 'externalName' | 'externalData'>

/** Compares entries with the games of the catalogue. */
export async function matchWithGames(
  { db }: Pick<ConflictsDeps, 'db'>,
  source: Source,
  entries: readonly NamedEntry[],
): Promise<MatchedEntry[]> {
  const found = await findMatchesOfEach({ db }, entries.map(toMatchSubject), CANDIDATE_OPTIONS)
  const plain = found.flatMap((matches) => (findReviewReason(matches) === null ? (matches[0]?.gameId ?? []) : []))
  const games = await mapByIds<LinkFacts>(db.games, plain, LINK_FACTS)
  return entries.map(({ externalId }, index) => {
    const matches = found[index] ?? []
    const reason = findReviewReason(matches)
    const [best] = matches
    const game = reason === null && best !== undefined ? games.get(best.gameId.toHexString()) : undefined
    const sure = game && isFree(game, source, externalId) ? { gameId: game._id, entryId: externalId } : null
    return { fields: { candidates: matches.map(toStoredCandidate), reason }, sure, isUnlike: best === undefined }
  })
}

interface ScoredEntry {
  entry: StoredEntry
  match: GameMatch | undefined
}

const toPercent = ({ match }: ScoredEntry) => Math.round((match?.score ?? 0) * 100)

/** Compares a game with entries of a source, which name no company. */
export async function matchWithEntries(
  game: StandingGame,
  source: Source,
  entries: readonly StoredEntry[],
  toPlatformIds: PlatformFinder,
): Promise<MatchedEntry> {
  const budget = createStepBudget(MAX_STEPS_PER_CHECK)
  const scored: ScoredEntry[] = []
  for (const entry of entries) {
    const released = entry.releaseYear?.toString().padStart(4, '0') ?? null
    const subject = prepareSubject({ name: entry.name, released, platformIds: toPlatformIds(entry.platforms ?? []) })
    const [match] = await scoreGames(subject, [game], { budget })
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
