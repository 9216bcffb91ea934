const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAYS = 24 * HOUR

function describe(at: Date): string {
  const seconds = Math.round((at.getTime() - Date.now()) / 1000)
  const passed = Math.abs(seconds)
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return RELATIVE.format(Math.trunc(seconds / MINUTE), 'minute')
  if (passed < DAYS) return RELATIVE.format(Math.trunc(seconds / HOUR), 'hour')
  if (passed < 14 * DAYS) return RELATIVE.format(Math.trunc(seconds / DAYS), 'day')
  return DAY.format(at)
}

/** A moment in words, with its exact time in the tooltip. */
export function Time({ at }: { at: string }) {
  const date = new Date(at)
  return (
    <time dateTime={at} title={FULL.format(date)}>
      {describe(date)}
    </time>
  )
}
