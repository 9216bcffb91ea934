import { useEffect, useState } from 'preact/hooks'

/** Shorter texts match too much. */
export const SEARCH_MIN_LENGTH = 2
const TYPING_PAUSE_MS = 150

/** The text as it was when the typing last paused. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(setSettled, TYPING_PAUSE_MS, text)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
