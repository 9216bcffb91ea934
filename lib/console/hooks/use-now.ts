import { useEffect, useState } from 'preact/hooks'

export function useNow(everyMs: number, isOfInterest = true): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    if (!isOfInterest) return
    setNow(Date.now())
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs, isOfInterest])
  return now
}
