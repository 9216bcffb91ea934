import type { GameMatch } from './match.ts'
import { BIAS, COMPANY_SIGNALS, DATE_SIGNALS, PLATFORM_SIGNALS, TITLE_SIGNALS, TOGETHER, WEIGHTS } from './weights.ts'

const logOdds = (signal: number | null, { neutral, ...weight }: (typeof WEIGHTS)[keyof typeof WEIGHTS]): number => {
  if (signal === null) return 0
  return signal >= neutral
    ? ((signal - neutral) / (1 - neutral)) * weight.for
    : ((signal - neutral) / neutral) * weight.against
}

export interface EvidenceContext {
  description: number | null
  /** The game is known on all platforms that the subject names, and it names some. */
  isOnKnownPlatforms: boolean
  /** It is known on others besides. */
  isOnOthers: boolean
  /** The subject came out after the first release of the game. */
  isAfterFirst: boolean
  /** The subject names an edition. */
  isEdition: boolean
  /** A title bears its year, to be told from another of its name. */
  isYearNamed: boolean
  /** The title that agreed is one word. */
  isOneWord: boolean
  /** Kind known to be no main game on one side, unknown on the other. */
  isSpecialTypeAlone: boolean
}

/** How much each part of what was compared speaks for one and the same game, in log-odds; 0 for what was not compared. */
export type Evidence = Record<keyof GameMatch['breakdown'] | 'description', number>

interface Late extends EvidenceContext {
  date: number
  isOther: boolean
}

/** Whether a late release is believed to be a port. Others port under the very title, to one of several platforms, after the game and sooner. */
function mayBePort(title: number, late: Late): boolean {
  if (!late.isOnKnownPlatforms || title < TOGETHER.lateReleaseTitle) return false
  if (!late.isOther) return true
  return late.isOnOthers && late.isAfterFirst && title === TITLE_SIGNALS.equal && late.date >= DATE_SIGNALS.fourYears
}

/** Weighs each signal by itself and with the others: a port or an edition may have other makers and dates than its game. */
export function weighEvidence(breakdown: GameMatch['breakdown'], context: EvidenceContext): Evidence {
  const { title, date, platforms, companies, genre, type } = breakdown
  const { description, isOneWord, isSpecialTypeAlone, isYearNamed, isEdition: isEditionAsked } = context
  const isLate = date !== null && date <= DATE_SIGNALS.twoYears
  const isOther = companies === COMPANY_SIGNALS.other
  const isPort = isLate && !isYearNamed && date > DATE_SIGNALS.more && mayBePort(title, { ...context, isOther, date })
  const isEdition = isLate && title >= TOGETHER.lateReleaseTitle && date > DATE_SIGNALS.tenYears && isEditionAsked
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

export const combineOdds = (evidence: Evidence): number =>
  Object.values(evidence).reduce((sum, odds) => sum + odds, BIAS)

/** Log-odds as signed points: ten times their decimal logarithm, with one decimal. */
const toPoints = (odds: number): number => Math.round((odds / Math.LN10) * 100) / 10 || 0

export const evidenceToPoints = ({
  title,
  companies,
  date,
  platforms,
  genre,
  type,
}: Evidence): GameMatch['points'] => ({
  title: toPoints(title),
  companies: toPoints(companies),
  date: toPoints(date),
  platforms: toPoints(platforms),
  genre: toPoints(genre),
  type: toPoints(type),
})
