import type { GameDocument } from '#lib/infrastructure/db/collections/games'
import { DATE_SIGNALS } from '../weights.ts'

const YEAR_SECONDS = 365.25 * 86_400

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

/** Lists all releases of a game. The year in its title stands in for unknown ones. */
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

/** Compares the years of releases; null when either is unknown. */
export function compareDates(subject: Moment | null, releases: readonly number[]): number | null {
  if (subject === null || releases.length === 0) return null
  // The catalogue stores the first of the month or year for an unknown day.
  const isDay = subject.from === subject.to && releases.every((release) => new Date(release * 1000).getUTCDate() > 1)
  const [first, last] = [toYear(subject.from), toYear(subject.to)]
  const years = Math.min(
    ...releases.map((release) => {
      const years = Math.max(first - toYear(release), toYear(release) - last, 0)
      // December and January are neighbours.
      return Math.min(years, Math.ceil(Math.max(subject.from - release, release - subject.to, 0) / YEAR_SECONDS))
    }),
  )
  if (subject.from === subject.to && releases.some((release) => Math.abs(release - subject.from) <= 86_400))
    return DATE_SIGNALS.sameDay
  if (years === 0) return isDay ? DATE_SIGNALS.otherDay : DATE_SIGNALS.sameYear
  if (years === 1) return DATE_SIGNALS.oneYear
  if (years === 2) return DATE_SIGNALS.twoYears
  if (years <= 4) return DATE_SIGNALS.fourYears
  if (years <= 6) return DATE_SIGNALS.sixYears
  if (years <= 10) return DATE_SIGNALS.tenYears
  return years <= 14 ? DATE_SIGNALS.fourteenYears : DATE_SIGNALS.more
}
