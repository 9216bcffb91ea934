import { compareCompanies, readCompanies } from './facts/compare-companies.ts'
import { compareDates, isAfterFirst, readReleased } from './facts/compare-dates.ts'
import {
  compareDescriptions,
  compareGenres,
  comparePlatforms,
  readDescription,
  readReach,
} from './facts/compare-facts.ts'
import { compareTypes, findTypeGroup, isSpecialTypeAlone } from './facts/compare-types.ts'
import type { GameMatch, MatchedGame, MatchSubject, PreparedSubject } from './match.ts'
import { analyseName, MAX_STEPS_PER_GAME, matchTitles, type TitleMatch } from './match-titles.ts'
import { createStepBudget } from './step-budget.ts'
import { createSideNames } from './titles/abbreviations.ts'
import { readNames } from './titles/read-names.ts'
import { analyseTitle, namesEdition } from './titles/title-forms.ts'
import { BIAS, COMPANY_SIGNALS, DATE_SIGNALS, PLATFORM_SIGNALS, TITLE_SIGNALS, TOGETHER, WEIGHTS } from './weights.ts'

const logOdds = (signal: number | null, { neutral, ...weight }: (typeof WEIGHTS)[keyof typeof WEIGHTS]): number => {
  if (signal === null) return 0
  return signal >= neutral
    ? ((signal - neutral) / (1 - neutral)) * weight.for
    : ((signal - neutral) / neutral) * weight.against
}

interface MatchFacts {
  /** True when the game is on every platform that the subject names, and the subject names some. */
  isOnSubjectPlatforms: boolean
  /** True when the game is on other platforms too. */
  isOnOthers: boolean
  isAfterFirst: boolean
  isEditionNamed: boolean
  /** True when a title contains its year, to distinguish games of one name. */
  isYearNamed: boolean
  isOneWord: boolean
  /** True when one side is no main game, and the type of the other is unknown. */
  isSpecialTypeAlone: boolean
}

type Signals = GameMatch['breakdown'] & { description: number | null }

/** How much each signal speaks for one and the same game, in log-odds; 0 for a fact that was not compared. */
type Evidence = Record<keyof Signals, number>

/** Reads what several signals say together: a port or an edition may have other makers and dates than its game. */
function combineSignals({ title, date, platforms, companies, description }: Signals, facts: MatchFacts) {
  const { isOnSubjectPlatforms, isOnOthers, isAfterFirst, isEditionNamed, isYearNamed } = facts
  const isLate = date !== null && date <= DATE_SIGNALS.twoYears
  const isSameTitleLate = isLate && title >= TOGETHER.lateReleaseTitle
  const areOtherMakers = companies === COMPANY_SIGNALS.other
  const mayBeOtherMakersPort =
    isLate && isOnOthers && isAfterFirst && title === TITLE_SIGNALS.equal && date >= DATE_SIGNALS.fourYears
  return {
    ...facts,
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

type Combined = ReturnType<typeof combineSignals>

/** Every rule that applies changes the evidence of one signal, in this order. */
const RULES: readonly (readonly [
  when: (combined: Combined) => boolean,
  signal: keyof Evidence,
  change: (odds: number) => number,
])[] = [
  // `Batman`
  [({ isOneWord }) => isOneWord, 'title', (odds) => odds + TOGETHER.oneWordTitle],
  // `Chrono Trigger` of 2018 for the game of 1995.
  [({ isPort }) => isPort, 'date', (odds) => odds * TOGETHER.lateRelease],
  [({ isPort }) => isPort, 'companies', (odds) => odds * TOGETHER.lateRelease],
  // `Fallout 4: Game of the Year Edition`
  [({ isLaterEdition }) => isLaterEdition, 'date', (odds) => odds * TOGETHER.laterEdition],
  // `Prey (2017)` for the game of 2006.
  [({ isLate, isYearNamed }) => isLate && isYearNamed, 'date', (odds) => odds + TOGETHER.otherYearNamed],
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
  [({ isSpecialTypeAlone }) => isSpecialTypeAlone, 'type', (odds) => odds + TOGETHER.specialTypeAlone],
  // Games of a series have the same heroes.
  [({ isDescriptionOfSeries }) => isDescriptionOfSeries, 'description', () => 0],
]

/** Weighs each signal by itself, then by the rules for several. */
function weighEvidence(signals: Signals, facts: MatchFacts): Evidence {
  const combined = combineSignals(signals, facts)
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

const combineOdds = (evidence: Evidence): number => Object.values(evidence).reduce((sum, odds) => sum + odds, BIAS)

/** Converts log-odds to signed points: ten times their decimal logarithm, with one decimal. */
function toPoints({ description: _, ...odds }: Evidence): GameMatch['points'] {
  const points = Object.entries(odds).map(([part, value]) => [part, Math.round((value / Math.LN10) * 100) / 10 || 0])
  // The names are those of `odds`.
  return Object.fromEntries(points) as GameMatch['points']
}

export function prepareSubject(subject: MatchSubject): PreparedSubject {
  const [main = analyseTitle(''), ...alternatives] = readNames(subject.name, subject.alternativeNames).map(analyseName)
  const seen = new Set(['', main.text])
  const others = alternatives.filter(({ text }) => !seen.has(text) && seen.add(text))
  const names = createSideNames([main, ...others], createStepBudget(MAX_STEPS_PER_GAME))
  for (const form of names.forms) names.spellOut(form)
  return {
    subject,
    main,
    others,
    names,
    type: findTypeGroup(subject.type),
    companies: readCompanies(subject.companies),
    description: readDescription(subject.summary),
    released: readReleased(subject.released) ?? readReleased(main.year?.toString()),
  }
}

function nameSignal<T>(signal: number | null, neutral: number, words: { above: T; below: T }): T | 'unknown' {
  if (signal === null || signal === neutral) return 'unknown'
  return signal > neutral ? words.above : words.below
}

const round = (score: number) => Math.round(score * 10_000) / 10_000

/** Compares a subject with a game. A fact that either side lacks weighs nothing. */
export function scoreMatch(
  prepared: PreparedSubject,
  game: MatchedGame,
  { signal: title, matchedTitle, isOneWord, types, isYearNamed, releases }: TitleMatch = matchTitles(prepared, game),
): GameMatch {
  const { subject } = prepared
  const signals = {
    title,
    companies: compareCompanies(prepared.companies, game.companies),
    date: compareDates(prepared.released, releases),
    platforms: comparePlatforms(subject.platformIds, game),
    genre: compareGenres(subject.genres, game.genres),
    type: compareTypes(types.left, types.right),
  }
  const description = compareDescriptions(prepared.description, game.summary, [subject.name, matchedTitle])
  const facts = {
    ...readReach(game, subject.platformIds),
    isAfterFirst: isAfterFirst(prepared.released, releases),
    isEditionNamed: namesEdition(prepared.main),
    isOneWord,
    isYearNamed,
    isSpecialTypeAlone: isSpecialTypeAlone(types.left, types.right),
  }
  const evidence = weighEvidence({ ...signals, description }, facts)

  return {
    gameId: game._id,
    // Another program may have stored null.
    name: game.name ?? '',
    slug: game.slug ?? '',
    score: round(1 / (1 + Math.exp(-combineOdds(evidence)))),
    breakdown: signals,
    points: toPoints(evidence),
    dateSignal: nameSignal(signals.date, WEIGHTS.date.neutral, { above: 'confirms', below: 'contradicts' }),
    descriptionSignal: nameSignal(description, WEIGHTS.description.neutral, { above: 'match', below: 'mismatch' }),
    hasCompanyMismatch: signals.companies === COMPANY_SIGNALS.other,
    matchedTitle,
    ...(game.isCustom === true && { isCustom: true }),
  }
}
