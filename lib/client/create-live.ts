import { ApiError } from './api-error.ts'
import type { Call } from './call.ts'
import type { SessionState } from './session.ts'
import type { HallSocket, NamespacePath } from './socket.ts'
import { createStore, type Store } from './store.ts'

/** Runs something later, unless the returned function is called before. */
export type Later = (run: () => void, ms: number) => () => void

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

/** Pause between reads, so that a busy thread is not read without a break. */
const PAUSE_MS = 150
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

interface ReadsOptions<W> {
  /** Must apply nothing once the signal is aborted. An extra is repeated until a later read has succeeded. */
  read(signal: AbortSignal, extras: ReadonlySet<W>): Promise<void>
  /** Called with the error of the last read; null when it was answered. */
  onEnd(error: ApiError | null): void
  later: Later
}

type Reads<W> = ReturnType<typeof createReads<W>>

/** Creates reads that run one at a time, so that no answer overtakes another, and are retried. `W` names optional work. */
function createReads<W>({ read, onEnd, later }: ReadsOptions<W>) {
  /** Each extra with the number of the last run that began before it. */
  const extras = new Map<W, number>()
  let runs = 0
  let running: AbortController | undefined
  let isRequestedAgain = false
  let isClosed = false
  let failures = 0
  let cancelNext = () => {}

  async function run(): Promise<void> {
    const controller = new AbortController()
    running = controller
    runs += 1
    const number = runs
    isRequestedAgain = false
    cancelNext()
    try {
      await read(controller.signal, new Set(extras.keys()))
      if (controller.signal.aborted) return
      for (const [extra, runBefore] of extras) if (runBefore < number) extras.delete(extra)
      if (failures > 0) onEnd(null)
      failures = 0
    } catch (error) {
      if (controller.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      onEnd(error)
      // A refused request would be refused again.
      const isFinal = error.status >= 400 && error.status < 500 && error.status !== 429
      if (!isFinal) cancelNext = later(request, Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures))
      failures += 1
    } finally {
      if (running === controller) {
        running = undefined
        if (isRequestedAgain) cancelNext = later(request, PAUSE_MS)
      }
    }
  }

  /** Reads after the running read; several requests meanwhile cause one read. */
  function request(extra?: W) {
    if (isClosed) return
    if (extra !== undefined) extras.set(extra, runs)
    if (running) isRequestedAgain = true
    else void run()
  }

  return {
    request,
    /** Aborts the running read and starts a new one, because its answer may be older than a missed event. */
    restart(extra?: W) {
      running?.abort()
      running = undefined
      request(extra)
    },
    close() {
      isClosed = true
      cancelNext()
      running?.abort()
    },
  }
}

const defaultLater: Later = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
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
