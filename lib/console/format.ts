/** The browser's own language. */
const BROWSER = undefined

const CLOCK = new Intl.DateTimeFormat(BROWSER, { hour: '2-digit', minute: '2-digit' })
const DAY = new Intl.DateTimeFormat(BROWSER, { dateStyle: 'medium' })
const FULL = new Intl.DateTimeFormat(BROWSER, { dateStyle: 'full', timeStyle: 'medium' })
const UTC_DAY = new Intl.DateTimeFormat(BROWSER, { dateStyle: 'medium', timeZone: 'UTC' })
const UTC_MONTH = new Intl.DateTimeFormat(BROWSER, { month: 'short', year: 'numeric', timeZone: 'UTC' })
const NUMBER = new Intl.NumberFormat(BROWSER, { maximumFractionDigits: 1 })
const RELATIVE = new Intl.RelativeTimeFormat(BROWSER, { numeric: 'auto' })
// English in any browser, because the words around a list are English.
const LIST = new Intl.ListFormat('en')

type Moment = Date | number | string

export const formatClock = (at: Moment): string => CLOCK.format(new Date(at))
export const formatExactTime = (at: Moment): string => FULL.format(new Date(at))
export const formatNumber = (value: number): string => NUMBER.format(value)
/** `Cover, title, and genres` */
export const formatList = (names: Iterable<string>): string => LIST.format(names)
/** `1 reply`, `2 replies` */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${count === 1 ? one : many}`
/** `12 s`, `5 min 12 s`, `3 h 5 min` or `4 days` */
export function formatDuration(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} days`
  if (hours > 0) return `${hours} h ${minutes % 60} min`
  const rest = `${Math.floor(seconds % 60)} s`
  return minutes > 0 ? `${minutes} min ${rest}` : rest
}
export const formatMs = (value: number): string => `${formatNumber(value)} ms`
export const MB = 1024 * 1024
export const formatPoints = (score: number): string => formatCount(Math.round(score), 'point')

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAYS = 24 * HOUR

/** `3 hours ago`, or the date from two weeks on. A time ahead of the clock is `just now`. */
export function formatAge(at: Moment, now: number): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const passed = Math.max(0, -seconds)
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return RELATIVE.format(Math.trunc(seconds / MINUTE), 'minute')
  if (passed < DAYS) return RELATIVE.format(Math.trunc(seconds / HOUR), 'hour')
  if (passed < 14 * DAYS) return RELATIVE.format(Math.trunc(seconds / DAYS), 'day')
  return DAY.format(new Date(at))
}

/** Formats a date of known precision: yyyy, yyyy-mm or yyyy-mm-dd. */
export function formatPartialDate(date: string): string {
  const day = new Date(`${date}${'-01-01'.slice(date.length - 4)}T00:00:00Z`)
  if (date.length === 4 || Number.isNaN(day.getTime())) return date
  return (date.length === 7 ? UTC_MONTH : UTC_DAY).format(day)
}

/** The day in UTC of a time in Unix seconds, as yyyy-mm-dd. */
export const toDay = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)
