import { computed, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatAge, formatExactTime } from '../format.ts'

/** Changes each minute, and with it the words of every moment that is shown. */
const lastMinute = signal(Date.now())
setInterval(() => {
  lastMinute.value = Date.now()
}, 60_000)

/** A moment in words, with its exact time on hover and on focus; within a link, on the focus of that. */
export function Time({ at, isLinked = false }: { at: string; isLinked?: boolean }) {
  // Drawn anew only when the words are others: a discussion shows a thousand.
  const words = useMemo(() => computed(() => formatAge(at, Math.max(lastMinute.value, Date.now()))), [at])
  return (
    <time dateTime={at} title={formatExactTime(at)} tabIndex={isLinked ? undefined : 0}>
      {words.value}
    </time>
  )
}
