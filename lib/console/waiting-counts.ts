import { hall, settle } from './hall.ts'
import { setWaiting } from './navigation.ts'
import { refreshEvery } from './refresh.ts'

const READ_EVERY_MS = 30_000

/** Shows admins how much waits: conflicts live, requests and reports, which nothing announces, every so often. */
export function watchWaiting(): () => void {
  const conflicts = hall.conflicts(undefined, { take: 1 })
  const showConflicts = () => setWaiting('conflicts', conflicts.get().summary?.pending ?? 0)
  const unsubscribe = conflicts.subscribe(showConflicts)

  async function read() {
    const [requests, reports] = await Promise.all([
      settle(hall.call('GET /requests', { query: { status: 'pending', take: 1 } })),
      settle(hall.call('GET /comments/reported', { query: { take: 1 } })),
    ])
    if (requests.ok) setWaiting('requests', requests.value.total)
    if (reports.ok) setWaiting('reports', reports.value.total)
  }
  const stop = refreshEvery(READ_EVERY_MS, read)
  void read()

  return () => {
    unsubscribe()
    conflicts.close()
    stop()
  }
}
