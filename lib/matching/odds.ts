import type { GameMatch } from './match.ts'
import { BIAS, COMPANY_SIGNALS, DATE_SIGNALS, PLATFORM_SIGNALS, TOGETHER, WEIGHTS } from './weights.ts'

const logOdds = (signal: number | null, { neutral, ...weight }: (typeof WEIGHTS)[keyof typeof WEIGHTS]): number => {
  if (signal === null) return 0
  return signal >= neutral
    ? ((signal - neutral) / (1 - neutral)) * weight.for
    : ((signal - neutral) / neutral) * weight.against
}

export interface Told {
  description: number | null
  /** The game is known on all platforms that the subject names, and it names some. */
  isOnKnownPlatforms: boolean
  /** The subject names an edition. */
  isEdition: boolean
  /** The title that agreed is one word. */
  isOneWord: boolean
  /** One is known to be no main game, and of the other nothing is known. */
  isSpecialTypeAlone: boolean
}

/** What the makers and the dates say, of which a port or an edition may have others than its game. */
function oddsOfReleases(
  { title, date, platforms, companies }: GameMatch['breakdown'],
  { isEdition: isEditionAsked, isOnKnownPlatforms }: Told,
): number {
  const isLate = date !== null && date < WEIGHTS.date.neutral
  const isOther = companies === COMPANY_SIGNALS.other
  const isPort =
    isLate && title >= TOGETHER.lateReleaseTitle && isOnKnownPlatforms && (date > DATE_SIGNALS.more || !isOther)
  const isEdition = isLate && title >= TOGETHER.lateReleaseTitle && date > DATE_SIGNALS.tenYears && isEditionAsked
  return (
    logOdds(date, WEIGHTS.date) * (isPort ? TOGETHER.lateRelease : 1) * (isEdition ? TOGETHER.laterEdition : 1) +
    logOdds(companies, WEIGHTS.companies) * (isPort ? TOGETHER.lateRelease : 1) +
    (isOther && platforms === PLATFORM_SIGNALS.none ? TOGETHER.otherMakersAndPlatforms : 0)
  )
}

/** What all signals together say, in log-odds; what is null says nothing. */
export function combineOdds(breakdown: GameMatch['breakdown'], told: Told): number {
  const { description, isOneWord, isSpecialTypeAlone } = told
  const { title, platforms, genre, type } = breakdown
  const isIdle = description === 1 && title < TOGETHER.descriptionTitle
  return (
    BIAS +
    logOdds(title, WEIGHTS.title) +
    (isOneWord ? TOGETHER.oneWordTitle : 0) +
    oddsOfReleases(breakdown, told) +
    logOdds(platforms, WEIGHTS.platforms) +
    logOdds(genre, WEIGHTS.genre) +
    logOdds(type, WEIGHTS.type) +
    (isSpecialTypeAlone ? TOGETHER.specialTypeAlone : 0) +
    logOdds(isIdle ? null : description, WEIGHTS.description)
  )
}
