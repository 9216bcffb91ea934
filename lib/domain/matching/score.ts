import { compareCompanies } from './facts/compare-companies.ts'
import { compareDates, isAfterFirst, listReleases } from './facts/compare-dates.ts'
import { compareDescriptions, comparePlatforms, compareSets, readGenres } from './facts/compare-facts.ts'
import { compareTypes, findTypeGroup, isSpecialTypeAlone } from './facts/compare-types.ts'
import type { GameMatch, MatchedGame } from './match.ts'
import { matchTitles, type TitleMatch } from './match-titles.ts'
import type { PreparedSubject } from './prepare-subject.ts'
import { namesEdition } from './titles/title-forms.ts'
import {
  BIAS,
  COMPANY_SIGNALS,
  DATE_SIGNALS,
  DESCRIPTION,
  PLATFORM_SIGNALS,
  TITLE_SIGNALS,
  TOGETHER,
  WEIGHTS,
} from './weights.ts'

const logOdds = (signal: number | null, weight: (typeof WEIGHTS)[keyof typeof WEIGHTS]): number => {
  if (signal === null) return 0
  return signal >= weight.neutral
    ? ((signal - weight.neutral) / (1 - weight.neutral)) * weight.for
    : ((signal - weight.neutral) / weight.neutral) * weight.against
}

type Signals = GameMatch['breakdown'] & { description: number | null }

/** The weight of each signal for one and the same game, in log-odds; 0 for a fact that was not compared. */
type Evidence = Record<keyof Signals, number>

/** Reads the facts that the rules need. A port or an edition may have other makers and dates than its game. */
function combineSignals({ signals, facts }: MatchSignals) {
  const { title, date, platforms, companies, description } = signals
  const { isOnSubjectPlatforms, isOnOthers, isAfterFirst, isEditionNamed, isYearNamed } = facts
  const isLate = date !== null && date <= DATE_SIGNALS.twoYears
  const isSameTitleLate = isLate && title >= TOGETHER.lateReleaseTitle
  const areOtherMakers = companies === COMPANY_SIGNALS.other
  const mayBeOtherMakersPort =
    isLate && isOnOthers && isAfterFirst && title === TITLE_SIGNALS.equal && date >= DATE_SIGNALS.fourYears
  return {
    facts,
    isLate,
    areOtherMakers,
    areOtherPlatforms: platforms === PLATFORM_SIGNALS.none,
    isPort:
      isSameTitleLate &&
      !isYearNamed &&
      date > DATE_SIGNALS.more &&
      isOnSubjectPlatforms &&
      (!areOtherMakers || mayBeOtherMakersPort),
    isLaterEdition: isSameTitleLate && isEditionNamed && date > DATE_SIGNALS.tenYears,
    mayBeOfSeries: title < WEIGHTS.title.neutral || date === DATE_SIGNALS.more,
    isDescriptionOfSeries: description === 1 && title < TOGETHER.descriptionTitle,
  }
}

/** Rules for several signals together. Each rule that applies changes the evidence of one signal, in this order. */
const RULES: readonly (readonly [
  when: (combined: ReturnType<typeof combineSignals>) => boolean,
  signal: keyof Evidence,
  change: (odds: number) => number,
])[] = [
  // `Batman`
  [({ facts: { isOneWord } }) => isOneWord, 'title', (odds) => odds + TOGETHER.oneWordTitle],
  // `Chrono Trigger` of 2018 for the game of 1995.
  [({ isPort }) => isPort, 'date', (odds) => odds * TOGETHER.lateRelease],
  [({ isPort }) => isPort, 'companies', (odds) => odds * TOGETHER.lateRelease],
  // `Fallout 4: Game of the Year Edition`
  [({ isLaterEdition }) => isLaterEdition, 'date', (odds) => odds * TOGETHER.laterEdition],
  // `Prey (2017)` for the game of 2006.
  [({ isLate, facts: { isYearNamed } }) => isLate && isYearNamed, 'date', (odds) => odds + TOGETHER.otherYearNamed],
  // `Doom` of other makers, years later.
  [
    ({ isLate, areOtherMakers, isPort }) => isLate && areOtherMakers && !isPort,
    'date',
    (odds) => odds + TOGETHER.otherMakersAndYears,
  ],
  // `Golden Sun: Dark Dawn` beside `Golden Sun`.
  [({ mayBeOfSeries }) => mayBeOfSeries, 'platforms', (odds) => (odds > 0 ? odds * TOGETHER.seriesPlatforms : odds)],
  // Two games of one film.
  [
    ({ areOtherMakers, areOtherPlatforms }) => areOtherMakers && areOtherPlatforms,
    'platforms',
    (odds) => odds + TOGETHER.otherMakersAndPlatforms,
  ],
  // An add-on for an entry of no known type.
  [({ facts: { isSpecialTypeAlone } }) => isSpecialTypeAlone, 'type', (odds) => odds + TOGETHER.specialTypeAlone],
  // Games of a series have the same heroes.
  [({ isDescriptionOfSeries }) => isDescriptionOfSeries, 'description', () => 0],
]

/** Weighs every signal alone, then applies the rules. */
function weighEvidence({ signals, facts }: MatchSignals): Evidence {
  const combined = combineSignals({ signals, facts })
  const evidence: Evidence = {
    title: logOdds(signals.title, WEIGHTS.title),
    date: logOdds(signals.date, WEIGHTS.date),
    companies: logOdds(signals.companies, WEIGHTS.companies),
    platforms: logOdds(signals.platforms, WEIGHTS.platforms),
    genre: logOdds(signals.genre, WEIGHTS.genre),
    type: logOdds(signals.type, WEIGHTS.type),
    description: logOdds(signals.description, WEIGHTS.description),
  }
  for (const [when, signal, change] of RULES) if (when(combined)) evidence[signal] = change(evidence[signal])
  return evidence
}

function toScore(evidence: Evidence): number {
  const odds = Object.values(evidence).reduce((sum, weight) => sum + weight, BIAS)
  return Math.round(10_000 / (1 + Math.exp(-odds))) / 10_000
}

/** Converts log-odds to signed points: ten times their decimal logarithm, with one decimal. */
function toPoints({ description: _, ...odds }: Evidence): GameMatch['points'] {
  const points = Object.entries(odds).map(([part, value]) => [part, Math.round((value / Math.LN10) * 100) / 10 || 0])
  // The names are those of `odds`.
  return Object.fromEntries(points) as GameMatch['points']
}

function nameSignal<T>(signal: number | null, neutral: number, words: { above: T; below: T }): T | 'unknown' {
  if (signal === null || signal === neutral) return 'unknown'
  return signal > neutral ? words.above : words.below
}

export type PlainFacts = ReturnType<typeof comparePlainFacts>

/** Compares the facts that no title changes. A fact that either side lacks weighs nothing. */
export const comparePlainFacts = ({ companies, platforms, genres }: PreparedSubject, game: MatchedGame) => ({
  companies: compareCompanies(companies, game.companies),
  platforms: comparePlatforms(platforms, game),
  genre: compareSets(genres, readGenres(game.genres)),
})

type MatchSignals = ReturnType<typeof readSignals>

function readSignals(
  prepared: PreparedSubject,
  { companies, platforms: { signal: ofPlatforms, ...platformFacts }, genre }: PlainFacts,
  title: Omit<TitleMatch, 'matchedTitle'> & Pick<Signals, 'description'>,
) {
  const { types, releases } = title
  const signals: Signals = {
    title: title.signal,
    companies,
    date: compareDates(prepared.released, releases),
    platforms: ofPlatforms,
    genre,
    type: compareTypes(types.left, types.right),
    description: title.description,
  }
  const facts = {
    ...platformFacts,
    isAfterFirst: isAfterFirst(prepared.released, releases),
    isEditionNamed: namesEdition(prepared.main),
    isOneWord: title.isOneWord,
    isYearNamed: title.isYearNamed,
    isSpecialTypeAlone: isSpecialTypeAlone(types.left, types.right),
  }
  return { signals, facts }
}

/** The best title to which the rules for late releases do not apply. */
const BEST_PLAIN_TITLE = TOGETHER.lateReleaseTitle - Number.EPSILON
const SAME_TYPE = { left: 'game', right: 'game' } as const

/**
 * Computes the highest score that a game can have with any titles and description. Its facts alone exclude most candidates,
 * so their titles need no comparison.
 */
export function boundScore(prepared: PreparedSubject, game: MatchedGame, plain: PlainFacts): number {
  const releases = listReleases(game, null)
  // A title may name the year that is not stored.
  if (releases.length === 0) return 1
  const [left, right] = [prepared.type, findTypeGroup(game.type)]
  const { signals, facts } = readSignals(prepared, plain, {
    signal: TITLE_SIGNALS.equal,
    types: left && right ? { left, right } : SAME_TYPE,
    releases,
    isYearNamed: prepared.main.year !== null,
    isOneWord: false,
    description: prepared.description.size < DESCRIPTION.leastToMatch ? null : 1,
  })
  const best = toScore(weighEvidence({ signals, facts }))
  return Math.max(best, toScore(weighEvidence({ signals: { ...signals, title: BEST_PLAIN_TITLE }, facts })))
}

export function scoreMatch(
  prepared: PreparedSubject,
  game: MatchedGame,
  { matchedTitle, ...title }: TitleMatch = matchTitles(prepared, game),
  plain: PlainFacts = comparePlainFacts(prepared, game),
): GameMatch {
  const description = compareDescriptions(prepared.description, game.summary, [prepared.subject.name, matchedTitle])
  const { signals, facts } = readSignals(prepared, plain, { ...title, description })
  const evidence = weighEvidence({ signals, facts })
  const { description: _, ...breakdown } = signals

  return {
    gameId: game._id,
    // Another program may have stored null.
    name: game.name ?? '',
    slug: game.slug ?? '',
    score: toScore(evidence),
    breakdown,
    points: toPoints(evidence),
    dateSignal: nameSignal(signals.date, WEIGHTS.date.neutral, { above: 'confirms', below: 'contradicts' }),
    descriptionSignal: nameSignal(description, WEIGHTS.description.neutral, { above: 'match', below: 'mismatch' }),
    hasCompanyMismatch: signals.companies === COMPANY_SIGNALS.other,
    matchedTitle,
    ...(game.isCustom === true && { isCustom: true }),
  }
}
