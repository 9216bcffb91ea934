import { useEffect, useRef } from 'preact/hooks'
import { refreshEvery } from './refresh.ts'

/** Reads again while the view is open, see `refreshEvery`. */
export function useRefresh(read: () => Promise<void>, everyMs: number): void {
  const latest = useRef(read)
  latest.current = read
  useEffect(() => refreshEvery(everyMs, () => latest.current()), [everyMs])
}
