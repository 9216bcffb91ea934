import { type Signal, signal } from '@preact/signals'
import type { Route } from '../client/index.ts'
import { useConnection } from './hooks/use-live.ts'
import { reload, useQuery } from './hooks/use-query.ts'
import { isAdmin } from './session.ts'

const READ_EVERY_MS = 30_000
/** Limits the reads while admins decide many conflicts or reports. */
const PAUSE_MS = 300
/** The key of the number of held comments, which the number of reports includes. */
export const HELD_REPORTS = 'reports/held'

/** Repeats the queries of a route, once for all events of a short time. */
function reloadSoon(route: Route): () => void {
  let isPlanned = false
  return () => {
    if (isPlanned) return
    isPlanned = true
    setTimeout(() => {
      isPlanned = false
      void reload(route)
    }, PAUSE_MS)
  }
}
const conflictsSoon = reloadSoon('GET /conflicts')
const reportsSoon = reloadSoon('GET /reports')

/** The number of entries that wait in a view, by the view's pattern; shown beside its link while it is above 0. */
export const waiting: Signal<Readonly<Record<string, number>>> = signal({})
const shownReads = new Map<string, number>()

/** Shows a count, unless the shown one is from a read that began later. */
export function setWaiting(pattern: string, count: number, readAt: number): void {
  if (readAt < (shownReads.get(pattern) ?? 0)) return
  shownReads.set(pattern, readAt)
  waiting.value = { ...waiting.value, [pattern]: count }
}

const showTotal = (pattern: string) => ({
  everyMs: READ_EVERY_MS,
  onAnswer: ({ total }: { total: number }, readAt: number) => setWaiting(pattern, total, readAt),
})

/** Keeps the counts of waiting entries for admins: read periodically and after the events of their changes. */
export function useWaitingCounts(): void {
  const isRead = isAdmin.value
  useQuery('GET /conflicts', isRead ? {} : null, {
    everyMs: READ_EVERY_MS,
    onAnswer: ({ pending }, readAt) => setWaiting('conflicts', pending, readAt),
  })
  useQuery('GET /requests', isRead ? { query: { status: 'pending', take: 1 } } : null, showTotal('requests'))
  useQuery('GET /reports', isRead ? { query: { take: 1 } } : null, showTotal('reports'))
  useQuery('GET /reports', isRead ? { query: { held: 'true', take: 1 } } : null, showTotal(HELD_REPORTS))
  useConnection(isRead ? '/conflicts' : null, (socket) => {
    socket.on('conflict:decided', conflictsSoon)
    socket.on('conflicts:applied', conflictsSoon)
  })
  useConnection(isRead ? '/notifications' : null, (socket) => {
    socket.on('reports:changed', reportsSoon)
  })
}
