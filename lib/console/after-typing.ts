/** Shorter texts find too much. */
export const SEARCH_MIN_LENGTH = 2
const TYPING_PAUSE_MS = 150

/** Finds once the typing has paused. Returns how to give up, for the cleanup of an effect. */
export function afterTyping(find: (signal: AbortSignal) => Promise<void>): () => void {
  const aborter = new AbortController()
  const timer = setTimeout(() => void find(aborter.signal), TYPING_PAUSE_MS)
  return () => {
    clearTimeout(timer)
    aborter.abort()
  }
}
