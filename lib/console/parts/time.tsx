import { computed, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatAge, formatExactTime } from '../format.ts'

/** Changes each minute, and with it the words of every moment that is shown. */
const lastMinute = signal(Date.now())
setInterval(() => {
  lastMinute.value = Date.now()
}, 60_000)

/** A moment in words, with its exact time in the tooltip. */
export function Time({ at }: { at: string }) {
  // Drawn anew only when the words are others: a discussion shows a thousand.
  const words = useMemo(() => computed(() => formatAge(at, Math.max(lastMinute.value, Date.now()))), [at])
  return (
    <time dateTime={at} title={formatExactTime(at)}>
      {words.value}
    </time>
  )
}
