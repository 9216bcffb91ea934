import type { ConflictReason } from '#lib/contract/conflicts'
import type { Source } from '#lib/contract/sources'
import type { ConflictDocument, StoredCandidate } from '#lib/infrastructure/db/collections/conflicts'
import { mapByIds } from '#lib/infrastructure/db/find-by-ids'
import { findOtherLink, isLinkable } from '../../catalogue/games/linked-ids.ts'
import type { PlatformFinder } from '../../catalogue/platforms/find-platforms.ts'
import { findMatchesOfEach, MAX_STEPS_PER_CHECK, scoreGames } from '../../matching/find-matches.ts'
import type { GameMatch, MatchSubject } from '../../matching/match.ts'
import { prepareSubject } from '../../matching/prepare-subject.ts'
import { findReviewReason } from '../../matching/review-reason.ts'
import { createStepBudget } from '../../matching/step-budget.ts'
import { WORTH_SHOWING_SCORE } from '../../matching/weights.ts'
import { stringsIn } from '../../names/normalise-name.ts'
import type { ConflictsDeps } from '../deps.ts'
import { isAboutEntries } from '../states.ts'
import { objectIdsIn, readSubject, textOrNull } from '../stored-values.ts'
import { LINK_FACTS, type StandingEntry, type StandingGame } from './load-standings.ts'

export const CANDIDATE_OPTIONS = { take: 10, leastScore: WORTH_SHOWING_SCORE }

export function toMatchSubject(record: Pick<ConflictDocument, 'externalName' | 'externalData'>): MatchSubject {
  const { name, originalName, alternativeNames, released, developers, description } = readSubject(record)
  const { platformIds, publishers, genres, type } = record.externalData ?? {}
  return {
    name,
    alternativeNames: [...(originalName === name ? [] : [originalName]), ...alternativeNames],
    type: textOrNull(type),
    released,
    companies: [...developers, ...stringsIn(publishers)],
    platformIds: objectIdsIn(platformIds),
    genres: stringsIn(genres),
    summary: textOrNull(description),
  }
}

export const toStoredCandidate = ({ score, breakdown, points, isCustom, ...match }: GameMatch): StoredCandidate => ({
  ...match,
  score: Math.round(score * 100),
  breakdown: { ...points },
  isManual: false,
})

/** The game that is the same as an entry. */
export interface Target {
  gameId: StandingGame['_id']
  entryId: string
}

export interface MatchedEntry {
  entry: StandingEntry
  /** The fields of the record that the matcher fills. */
  found: Pick<ConflictDocument, 'candidates' | 'entries'> & { reason: ConflictReason | null }
  /** The plain match, if a background decision may link it. */
  sure: Target | null
  /** True when no game of the catalogue is similar to the entry. */
  isUnlike: boolean
}

type LinkFacts = Pick<StandingGame, '_id' | keyof typeof LINK_FACTS>

/** Answers the game of a plain match, unless a match in the background may not link it. */
function toSure(game: LinkFacts | null | undefined, source: Source, id: string): Target | null {
  if (!game || game.isStopParsing === true || !isLinkable(game, source)) return null
  return findOtherLink(game, { source, id }) === undefined ? { gameId: game._id, entryId: id } : null
}

async function matchWithGames(
  { db }: Pick<ConflictsDeps, 'db'>,
  source: Source,
  entries: readonly StandingEntry[],
): Promise<MatchedEntry[]> {
  const subjects = entries.map(({ fields }) => toMatchSubject(fields))
  const found = await findMatchesOfEach({ db }, subjects, CANDIDATE_OPTIONS)
  const judged = entries.map((entry, index) => {
    const matches = found[index] ?? []
    return { entry, matches, best: matches[0]?.gameId, reason: findReviewReason(matches) }
  })
  const plain = judged.flatMap(({ best, reason }) => (reason === null ? (best ?? []) : []))
  const games = await mapByIds<LinkFacts>(db.games, plain, LINK_FACTS)
  return judged.map(({ entry, matches, best, reason }) => ({
    entry,
    found: { candidates: matches.map(toStoredCandidate), reason },
    sure: reason === null ? toSure(games.get(best?.toHexString() ?? ''), source, entry.externalId) : null,
    isUnlike: best === undefined,
  }))
}

/** Compares a game with entries of a source, which name no company. */
async function matchWithEntries(
  entry: StandingEntry,
  source: Source,
  toPlatformIds: PlatformFinder,
): Promise<MatchedEntry> {
  const { game } = entry
  const budget = createStepBudget(MAX_STEPS_PER_CHECK)
  const scored = []
  for (const listed of entry.entries) {
    const { name, releaseYear, platforms = [] } = listed
    const released = releaseYear?.toString().padStart(4, '0') ?? null
    const subject = prepareSubject({ name, released, platformIds: toPlatformIds(platforms) })
    const [match] = await scoreGames(subject, game === null ? [] : [game], { budget })
    scored.push({ listed, match, score: match?.score ?? 0 })
  }
  scored.sort((a, b) => b.score - a.score)
  const shown = scored.flatMap(({ match }) => (match && match.score >= WORTH_SHOWING_SCORE ? [match] : []))
  const reason = findReviewReason(shown, { namesCompanies: false })
  const best = shown.length > 0 && reason === null ? scored[0]?.listed : undefined
  return {
    entry,
    found: { entries: scored.map(({ listed, score }) => ({ ...listed, score: Math.round(score * 100) })), reason },
    sure: best === undefined ? null : toSure(game, source, best.id),
    isUnlike: false,
  }
}

export async function matchEntries(
  deps: Pick<ConflictsDeps, 'db'>,
  { source, toPlatformIds }: { source: Source; toPlatformIds: PlatformFinder },
  entries: readonly StandingEntry[],
): Promise<MatchedEntry[]> {
  if (!isAboutEntries(source)) return await matchWithGames(deps, source, entries)
  const matched: MatchedEntry[] = []
  for (const entry of entries) matched.push(await matchWithEntries(entry, source, toPlatformIds))
  return matched
}
