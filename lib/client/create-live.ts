import type { ApiError } from './api-error.ts'
import type { Call } from './call.ts'
import { createReads, later as defaultLater, type Later, type Reads } from './live-reads.ts'
import type { SessionState } from './session.ts'
import type { HallSocket, NamespacePath } from './socket.ts'
import { createStore, type Store } from './store.ts'

export interface LiveParts<N extends NamespacePath> {
  call: Call
  session: Store<SessionState>
  /** A socket of this store alone, which is closed with it. */
  socket: Pick<HallSocket<N>, 'on' | 'connection' | 'close'>
  later?: Later
}

export type LiveStatus = 'loading' | 'ready' | 'failed'

export interface LiveFacts<S = LiveStatus> {
  status: S
  /** The error of the last read, which is retried. */
  error: ApiError | null
}

interface LiveOptions<S, W> {
  socket: { close(): void }
  later: Later | undefined
  toState(facts: LiveFacts): S
  /** Reads the part that a key names; left out where a store reads nothing. */
  read?(key: string, signal: AbortSignal, extras: ReadonlySet<W>): Promise<void>
}

export function createLive<S, W = never>(options: LiveOptions<S, W>) {
  const { socket, later = defaultLater, toState, read = async () => {} } = options
  const failures = new Map<string, ApiError>()
  const reads = new Map<string, Reads<W>>()
  const ends: (() => void)[] = []
  let status: LiveStatus = 'loading'
  let isClosed = false
  const state = () => toState({ status, error: [...failures.values()].at(-1) ?? null })
  const store = createStore(state())

  function show(next: LiveStatus = status) {
    status = next
    if (!isClosed) store.set(state())
  }

  function onEnd(key: string, failure: ApiError | null) {
    if (failure === null) failures.delete(key)
    else failures.set(key, failure)
    show(status === 'loading' ? 'failed' : status)
  }

  return {
    store: {
      get: store.get,
      subscribe: store.subscribe,
      close() {
        if (isClosed) return
        isClosed = true
        for (const end of ends) end()
        for (const keyed of reads.values()) keyed.close()
        socket.close()
      },
    },
    status: () => status,
    isClosed: () => isClosed,
    later,
    show,
    reads(key: string): Reads<W> {
      const found =
        reads.get(key) ??
        createReads<W>({
          read: (signal, extras) => read(key, signal, extras),
          onEnd: (failure) => onEnd(key, failure),
          later,
        })
      reads.set(key, found)
      if (isClosed) found.close()
      return found
    },
    drop(key: string) {
      reads.get(key)?.close()
      reads.delete(key)
      failures.delete(key)
    },
    onClose: (...listeners: (() => void)[]) => ends.push(...listeners),
  }
}
