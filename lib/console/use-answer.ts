import { useEffect, useRef, useState } from 'preact/hooks'
import { ask } from './ask.ts'
import type { ApiError, Refusable } from './hall.ts'
import { signIns, viewer } from './session.ts'

interface ReadOptions<T, S extends number> {
  read(signal: AbortSignal): Refusable<T, S>
  /** Called with each answer that is shown. */
  onAnswer?(answer: T): void
}

interface Read<T> {
  /** Undefined while the first answer under the present key is awaited. */
  answer: T | undefined
  /** Why the last read failed. */
  error: ApiError | undefined
  /** Reads again, and gives up what runs: its answer may be older. */
  load(): Promise<void>
}

/**
 * Reads whenever the key or the viewer changes, and with a sign-in. No answer to an earlier read is shown over that to
 * a later one.
 */
export function useAnswer<T, S extends number>(key: string, { read, onAnswer }: ReadOptions<T, S>): Read<T> {
  const [shown, setShown] = useState<{ key: string; answer: T }>()
  const [error, setError] = useState<ApiError>()
  const running = useRef<AbortController>(undefined)

  async function load(): Promise<void> {
    running.current?.abort()
    const aborter = new AbortController()
    running.current = aborter
    const { signal } = aborter
    try {
      const answered = await ask(read(signal))
      if (signal.aborted) return
      setError(answered.ok ? undefined : answered.error)
      if (!answered.ok) return
      setShown({ key, answer: answered.value })
      onAnswer?.(answered.value)
    } catch (problem) {
      if (!signal.aborted) throw problem
    }
  }
  useEffect(() => {
    void load()
  }, [key, viewer.value, signIns.value])
  useEffect(() => () => running.current?.abort(), [])

  return { answer: shown?.key === key ? shown.answer : undefined, error, load }
}
