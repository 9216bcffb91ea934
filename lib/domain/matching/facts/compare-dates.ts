import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { DATE_SIGNALS } from '../weights.ts'

const DAY_SECONDS = 86_400
const YEAR_SECONDS = 365.25 * DAY_SECONDS

/** The first and the last possible moment of a release, in Unix seconds. */
export interface Moment {
  from: number
  to: number
}

const RELEASED = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?/

/** Reads `yyyy`, `yyyy-mm` or `yyyy-mm-dd`; null for other texts. */
export function readReleased(released: string | null | undefined): Moment | null {
  const [, year, month, day] = RELEASED.exec(released ?? '') ?? []
  if (year === undefined) return null
  const [y, m] = [Number(year), Number(month ?? 1) - 1]
  const from = Date.UTC(y, m, Number(day ?? 1)) / 1000
  if (day !== undefined) return { from, to: from }
  return { from, to: Date.UTC(month === undefined ? y + 1 : y, month === undefined ? 0 : m + 1) / 1000 - 1 }
}

const MAX_RELEASES = 100

/** Lists the releases of a game. The year in its title replaces unknown dates. */
export function listReleases(game: Pick<GameDocument, 'first_release' | 'release_dates'>, titleYear: number | null) {
  const dates = Array.isArray(game.release_dates)
    ? game.release_dates.slice(0, MAX_RELEASES).map((release) => release?.date)
    : []
  const dated = [game.first_release, ...dates].filter(
    (date): date is number => typeof date === 'number' && Number.isFinite(date),
  )
  return dated.length === 0 && titleYear !== null ? [Date.UTC(titleYear, 0) / 1_000] : dated
}

export const toYear = (seconds: number) => new Date(seconds * 1000).getUTCFullYear()

export const isAfterFirst = (subject: Moment | null, releases: readonly number[]) =>
  subject !== null && releases.some((release) => release < subject.from)

/** Counts the years between a moment and a release. December and January are neighbours, although their years differ. */
function countYears({ from, to }: Moment, release: number): number {
  const calendarYears = Math.max(toYear(from) - toYear(release), toYear(release) - toYear(to), 0)
  const passedYears = Math.ceil(Math.max(from - release, release - to, 0) / YEAR_SECONDS)
  return Math.min(calendarYears, passedYears)
}

/** Compares the dates of a subject and of the nearest release of a game; null when either is unknown. */
export function compareDates(subject: Moment | null, releases: readonly number[]): number | null {
  if (subject === null || releases.length === 0) return null
  const isDayKnown = subject.from === subject.to
  if (isDayKnown && releases.some((release) => Math.abs(release - subject.from) <= DAY_SECONDS))
    return DATE_SIGNALS.sameDay
  // The catalogue stores the first of the month or year for an unknown day.
  const areDaysKnown = isDayKnown && releases.every((release) => new Date(release * 1000).getUTCDate() > 1)
  const years = Math.min(...releases.map((release) => countYears(subject, release)))
  if (years === 0) return areDaysKnown ? DATE_SIGNALS.otherDay : DATE_SIGNALS.sameYear
  if (years === 1) return DATE_SIGNALS.oneYear
  if (years === 2) return DATE_SIGNALS.twoYears
  if (years <= 4) return DATE_SIGNALS.fourYears
  if (years <= 6) return DATE_SIGNALS.sixYears
  if (years <= 10) return DATE_SIGNALS.tenYears
  return years <= 14 ? DATE_SIGNALS.fourteenYears : DATE_SIGNALS.more
}
