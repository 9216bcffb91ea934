import { computed, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'

const FULL = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })
const DAY = new Intl.DateTimeFormat('en', { dateStyle: 'medium' })
const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAYS = 24 * HOUR

/** Changes each minute, and with it the words of every moment that is shown. */
const lastMinute = signal(Date.now())
setInterval(() => {
  lastMinute.value = Date.now()
}, MINUTE * 1_000)

function describe(at: Date, now: number): string {
  const seconds = Math.round((at.getTime() - now) / 1000)
  const passed = Math.abs(seconds)
  if (passed < MINUTE) return 'just now'
  if (passed < HOUR) return RELATIVE.format(Math.trunc(seconds / MINUTE), 'minute')
  if (passed < DAYS) return RELATIVE.format(Math.trunc(seconds / HOUR), 'hour')
  if (passed < 14 * DAYS) return RELATIVE.format(Math.trunc(seconds / DAYS), 'day')
  return DAY.format(at)
}

/** A moment in words, with its exact time in the tooltip. */
export function Time({ at }: { at: string }) {
  // Drawn anew only when the words are others: a discussion shows a thousand.
  const words = useMemo(() => computed(() => describe(new Date(at), Math.max(lastMinute.value, Date.now()))), [at])
  return (
    <time dateTime={at} title={FULL.format(new Date(at))}>
      {words.value}
    </time>
  )
}
