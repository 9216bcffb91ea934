import { hall, settle } from './hall.ts'
import { setWaiting } from './navigation.ts'

const READ_EVERY_MS = 30_000

/** Shows admins how much waits: conflicts live, requests and reports, which nothing announces, every so often. */
export function watchWaiting(): () => void {
  const conflicts = hall.conflicts(undefined, { take: 1 })
  const showConflicts = () => setWaiting('conflicts', conflicts.get().summary?.pending ?? 0)
  const unsubscribe = conflicts.subscribe(showConflicts)

  async function read() {
    if (document.visibilityState === 'hidden') return
    const [requests, reports] = await Promise.all([
      settle(hall.call('GET /requests', { query: { status: 'pending', take: 1 } })),
      settle(hall.call('GET /comments/reported', { query: { take: 1 } })),
    ])
    if (requests.ok) setWaiting('requests', requests.value.total)
    if (reports.ok) setWaiting('reports', reports.value.total)
  }
  const onReturn = () => void read()
  const timer = setInterval(onReturn, READ_EVERY_MS)
  addEventListener('focus', onReturn)
  onReturn()

  return () => {
    unsubscribe()
    conflicts.close()
    clearInterval(timer)
    removeEventListener('focus', onReturn)
  }
}
