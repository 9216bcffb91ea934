import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Route } from '../client/index.ts'
import { reload, useConnection, useQuery } from './parts/query.tsx'
import { isAdmin } from './session.ts'

/** Limits the reads while admins decide many conflicts or reports. */
const PAUSE_MS = 300
/** The key of the number of held comments, which the number of reports includes. */
export const HELD_REPORTS = 'reports/held'

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

const OFTEN = { everyMs: 30_000 }

export function useWaitingCounts(): void {
  const isForAdmin = isAdmin.value
  const conflicts = useQuery('GET /conflicts', isForAdmin ? {} : null, OFTEN).answer?.pending ?? 0
  const pending = { query: { status: 'pending', take: 1 } } as const
  const requests = useQuery('GET /requests', isForAdmin ? pending : null, OFTEN).answer?.total ?? 0
  const reports = useQuery('GET /reports', isForAdmin ? { query: { take: 1 } } : null, OFTEN).answer?.total ?? 0
  const onHold = { query: { held: 'true', take: 1 } } as const
  const held = useQuery('GET /reports', isForAdmin ? onHold : null, OFTEN).answer?.total ?? 0
  useEffect(() => {
    waiting.value = { conflicts, requests, reports, [HELD_REPORTS]: held }
  }, [conflicts, requests, reports, held])
  useConnection(isForAdmin ? '/conflicts' : null, (socket) => {
    socket.on('conflict:decided', conflictsSoon)
    socket.on('conflicts:applied', conflictsSoon)
  })
  useConnection(isForAdmin ? '/notifications' : null, (socket) => {
    socket.on('reports:changed', reportsSoon)
  })
}
