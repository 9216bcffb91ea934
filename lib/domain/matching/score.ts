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

interface EvidenceContext {
  description: number | null
  /** The game is known on all platforms that the subject names, and it names some. */
  isOnSubjectPlatforms: boolean
  /** The game is known on other platforms too. */
  isOnOthers: boolean
  isAfterFirst: boolean
  isEdition: boolean
  /** True when a title contains its year, to distinguish games of one name. */
  isYearNamed: boolean
  isOneWord: boolean
  /** One side is no main game, and the type of the other is unknown. */
  isSpecialTypeAlone: boolean
}

/** How much each part of what was compared speaks for one and the same game, in log-odds; 0 for what was not compared. */
type Evidence = Record<keyof GameMatch['breakdown'] | 'description', number>

interface Late extends EvidenceContext {
  date: number
  isOther: boolean
}

/** True when a late release counts as a port. Another maker's port has the same title, is later than the game, and on one of several platforms. */
function mayBePort(title: number, late: Late): boolean {
  if (!late.isOnSubjectPlatforms || title < TOGETHER.lateReleaseTitle) return false
  if (!late.isOther) return true
  return late.isOnOthers && late.isAfterFirst && title === TITLE_SIGNALS.equal && late.date >= DATE_SIGNALS.fourYears
}

/** Weighs each signal by itself and with the others: a port or an edition may have other makers and dates than its game. */
function weighEvidence(breakdown: GameMatch['breakdown'], context: EvidenceContext): Evidence {
  const { title, date, platforms, companies, genre, type } = breakdown
  const { description, isOneWord, isSpecialTypeAlone, isYearNamed, isEdition: isEditionNamed } = context
  const isLate = date !== null && date <= DATE_SIGNALS.twoYears
  const isOther = companies === COMPANY_SIGNALS.other
  const isPort = isLate && !isYearNamed && date > DATE_SIGNALS.more && mayBePort(title, { ...context, isOther, date })
  const isEdition = isLate && title >= TOGETHER.lateReleaseTitle && date > DATE_SIGNALS.tenYears && isEditionNamed
  const isOfSeries = title < WEIGHTS.title.neutral || date === DATE_SIGNALS.more
  const platformOdds = logOdds(platforms, WEIGHTS.platforms)
  const isIgnored = description === 1 && title < TOGETHER.descriptionTitle

  return {
    title: logOdds(title, WEIGHTS.title) + (isOneWord ? TOGETHER.oneWordTitle : 0),
    date:
      logOdds(date, WEIGHTS.date) * (isPort ? TOGETHER.lateRelease : 1) * (isEdition ? TOGETHER.laterEdition : 1) +
      (isLate && isYearNamed ? TOGETHER.otherYearNamed : 0) +
      (isLate && isOther && !isPort ? TOGETHER.otherMakersAndYears : 0),
    companies: logOdds(companies, WEIGHTS.companies) * (isPort ? TOGETHER.lateRelease : 1),
    platforms:
      platformOdds * (isOfSeries && platformOdds > 0 ? TOGETHER.seriesPlatforms : 1) +
      (isOther && platforms === PLATFORM_SIGNALS.none ? TOGETHER.otherMakersAndPlatforms : 0),
    genre: logOdds(genre, WEIGHTS.genre),
    type: logOdds(type, WEIGHTS.type) + (isSpecialTypeAlone ? TOGETHER.specialTypeAlone : 0),
    description: logOdds(isIgnored ? null : description, WEIGHTS.description),
  }
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

const toDateSignal = (date: number | null): GameMatch['dateSignal'] => {
  if (date === null || date === WEIGHTS.date.neutral) return 'unknown'
  return date > WEIGHTS.date.neutral ? 'confirms' : 'contradicts'
}

const toDescriptionSignal = (description: number | null): GameMatch['descriptionSignal'] => {
  if (description === null || description === WEIGHTS.description.neutral) return 'unknown'
  return description > WEIGHTS.description.neutral ? 'match' : 'mismatch'
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
  const description = compareDescriptions(prepared.description, readDescription(game.summary), [
    subject.name,
    matchedTitle,
  ])
  const evidence = weighEvidence(signals, {
    description,
    ...readReach(game, subject.platformIds),
    isAfterFirst: isAfterFirst(prepared.released, releases),
    isEdition: namesEdition(prepared.main),
    isOneWord,
    isYearNamed,
    isSpecialTypeAlone: isSpecialTypeAlone(types.left, types.right),
  })

  return {
    gameId: game._id,
    // Another program may have stored null.
    name: game.name ?? '',
    slug: game.slug ?? '',
    score: round(1 / (1 + Math.exp(-combineOdds(evidence)))),
    breakdown: signals,
    points: toPoints(evidence),
    dateSignal: toDateSignal(signals.date),
    descriptionSignal: toDescriptionSignal(description),
    hasCompanyMismatch: signals.companies === COMPANY_SIGNALS.other,
    matchedTitle,
    ...(game.isCustom === true && { isCustom: true }),
  }
}
