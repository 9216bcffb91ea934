import { toDateParts, toIsoDay } from '#lib/base/values/calendar-day'
import type { SourceGame } from '../entries.ts'
import type { IgdbGame } from './igdb-game.ts'

const WORLDWIDE = 8
const LAST_REGION = 10

/** How much of a date a format tells: `2017-03-03`, `2017-03`, or the year alone for it and its quarters. */
const DATE_LENGTHS = new Map([
  [0, 10],
  [1, 7],
  [2, 4],
  [3, 4],
  [4, 4],
  [5, 4],
  [6, 4],
])

/** About as far from 1970 as the year 1; what is farther is no date of a game. */
const FAR_SECONDS = 62_135_596_800

export const isDate = (seconds: number | undefined): seconds is number =>
  seconds !== undefined && Math.abs(seconds) <= FAR_SECONDS

/** Releases that have a date, in Unix seconds and as text. */
export function toReleases({ release_dates }: IgdbGame): SourceGame['releases'] {
  return release_dates.flatMap(({ date, platform, release_region: region = WORLDWIDE }) => {
    if (!isDate(date) || platform === undefined) return []
    return [
      {
        date,
        ...toDateParts(date),
        platform,
        region: region >= 1 && region <= LAST_REGION ? region : WORLDWIDE,
      },
    ]
  })
}

export function toReleased({ first_release_date: first, release_dates }: IgdbGame): string | null {
  if (!isDate(first)) return null
  const lengths = release_dates
    .filter(({ date }) => date === first)
    .map(({ date_format }) => DATE_LENGTHS.get(date_format ?? 0) ?? 4)
  return toIsoDay(first).slice(0, Math.max(...lengths, lengths.length > 0 ? 0 : 10))
}
