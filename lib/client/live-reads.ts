import { ApiError } from './api-error.ts'

/** Runs something later, unless the returned function is called before. */
export type Later = (run: () => void, ms: number) => () => void

export const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** Pause between reads, so that a busy thread is not read without a break. */
const PAUSE_MS = 150
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

/** Reads of one key. `W` names optional work of a read. */
export interface Reads<W = never> {
  /** Reads after the running read; several requests meanwhile cause one read. */
  request(wish?: W): void
  /** Aborts the running read and starts a new one, because its answer may be older than a missed event. */
  restart(wish?: W): void
  close(): void
}

interface ReadsOptions<W> {
  /**
   * Must apply nothing once the signal is aborted. A wish is repeated until a read that began after it has succeeded.
   */
  read(signal: AbortSignal, wishes: ReadonlySet<W>): Promise<void>
  /** Called with the error of the last read; null when it was answered. */
  onEnd(error: ApiError | null): void
  later: Later
}

/** Creates reads that run one at a time, so that no answer overtakes another, and are retried on failure. */
export function createReads<W = never>({ read, onEnd, later }: ReadsOptions<W>): Reads<W> {
  /** Each wish with the number of the last run that began before it. */
  const wishes = new Map<W, number>()
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
      await read(controller.signal, new Set(wishes.keys()))
      if (controller.signal.aborted) return
      for (const [wish, runBefore] of wishes) if (runBefore < number) wishes.delete(wish)
      if (failures > 0) onEnd(null)
      failures = 0
    } catch (error) {
      if (controller.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      onEnd(error)
      // A refused request would be refused again.
      const isFinal = error.status >= 400 && error.status < 500 && error.status !== 429
      if (!isFinal) cancelNext = later(() => request(), Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures))
      failures += 1
    } finally {
      if (running === controller) {
        running = undefined
        if (isRequestedAgain) cancelNext = later(() => request(), PAUSE_MS)
      }
    }
  }

  function request(wish?: W) {
    if (isClosed) return
    if (wish !== undefined) wishes.set(wish, runs)
    if (running) isRequestedAgain = true
    else void run()
  }

  return {
    request,
    restart(wish) {
      if (isClosed) return
      if (wish !== undefined) wishes.set(wish, runs)
      running?.abort()
      void run()
    },
    close() {
      isClosed = true
      cancelNext()
      running?.abort()
    },
  }
}
