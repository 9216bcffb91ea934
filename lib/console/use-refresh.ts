import { useEffect, useRef } from 'preact/hooks'

/** Reads again every so often while the page is looked at, and at once when it is looked at again. */
export function useRefresh(read: () => Promise<void>, everyMs: number): void {
  const latest = useRef(read)
  latest.current = read

  useEffect(() => {
    let isRunning = false
    const run = async () => {
      if (isRunning || document.visibilityState === 'hidden') return
      isRunning = true
      await latest.current().finally(() => {
        isRunning = false
      })
    }
    const onReturn = () => void run()
    const timer = setInterval(onReturn, everyMs)
    addEventListener('focus', onReturn)
    addEventListener('online', onReturn)
    document.addEventListener('visibilitychange', onReturn)
    return () => {
      clearInterval(timer)
      removeEventListener('focus', onReturn)
      removeEventListener('online', onReturn)
      document.removeEventListener('visibilitychange', onReturn)
    }
  }, [everyMs])
}
