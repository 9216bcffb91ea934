import { type Signal, signal } from '@preact/signals'
import { hall, settle } from './hall.ts'
import { refreshEvery } from './refresh.ts'

const READ_EVERY_MS = 30_000
/** Conflicts are decided by the hundred. */
const PAUSE_MS = 300

/** How much waits in a view, by the view's pattern; shown beside its link while it is above 0. */
export const waiting: Signal<Readonly<Record<string, number>>> = signal({})

export function setWaiting(pattern: string, count: number): void {
  waiting.value = { ...waiting.value, [pattern]: count }
}

async function readConflicts(): Promise<void> {
  const summary = await settle(hall.call('GET /conflicts'))
  if (summary.ok) setWaiting('conflicts', summary.value.pending)
}

async function readAll(): Promise<void> {
  const [requests, reports] = await Promise.all([
    settle(hall.call('GET /requests', { query: { status: 'pending', take: 1 } })),
    settle(hall.call('GET /comments/reported', { query: { take: 1 } })),
    readConflicts(),
  ])
  if (requests.ok) setWaiting('requests', requests.value.total)
  if (reports.ok) setWaiting('reports', reports.value.total)
}

/** Counts for admins what waits: every so often, and conflicts with each event. */
export function watchWaiting(): () => void {
  const socket = hall.socket('/conflicts')
  let timer: ReturnType<typeof setTimeout> | undefined
  const readSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      void readConflicts()
    }, PAUSE_MS)
  }
  socket.on('conflict:decided', readSoon)
  socket.on('conflicts:applied', readSoon)
  const stop = refreshEvery(READ_EVERY_MS, readAll)
  void readAll()

  return () => {
    clearTimeout(timer)
    socket.close()
    stop()
  }
}
