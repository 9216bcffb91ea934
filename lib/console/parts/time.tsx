import { computed, signal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatAge, formatExactTime } from '../format.ts'

/** Updated each minute, so that all shown ages are redrawn. */
const lastMinute = signal(Date.now())
setInterval(() => {
  lastMinute.value = Date.now()
}, 60_000)

/** The age of a time, with the exact time on hover and focus; within a link, on the link's focus. */
export function Time({ at, isLinked = false }: { at: string; isLinked?: boolean }) {
  // Redrawn only when the words change: a discussion shows a thousand of them.
  const words = useMemo(() => computed(() => formatAge(at, Math.max(lastMinute.value, Date.now()))), [at])
  return (
    <time dateTime={at} title={formatExactTime(at)} tabIndex={isLinked ? undefined : 0}>
      {words.value}
    </time>
  )
}
