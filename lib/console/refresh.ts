import { onReconnect } from './connection.ts'

/**
 * Reads every so often while the page is looked at, and at once when it is looked at again or connected again, until the
 * returned function is called.
 */
export function refreshEvery(everyMs: number, read: () => Promise<void>): () => void {
  let isRunning = false
  const run = () => {
    if (isRunning || document.visibilityState === 'hidden') return
    isRunning = true
    void read().finally(() => {
      isRunning = false
    })
  }
  const timer = setInterval(run, everyMs)
  addEventListener('focus', run)
  document.addEventListener('visibilitychange', run)
  const unsubscribe = onReconnect(run)

  return () => {
    clearInterval(timer)
    removeEventListener('focus', run)
    document.removeEventListener('visibilitychange', run)
    unsubscribe()
  }
}
