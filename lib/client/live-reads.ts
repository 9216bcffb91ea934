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

export interface Reads<W = never> {
  /** Reads after the running read; several requests meanwhile cause one read. */
  request(extra?: W): void
  /** Aborts the running read and starts a new one, because its answer may be older than a missed event. */
  restart(extra?: W): void
  close(): void
}

interface ReadsOptions<W> {
  /** Must apply nothing once the signal is aborted. An extra is repeated until a later read has succeeded. */
  read(signal: AbortSignal, extras: ReadonlySet<W>): Promise<void>
  /** Called with the error of the last read; null when it was answered. */
  onEnd(error: ApiError | null): void
  later: Later
}

/** Creates reads that run one at a time, so that no answer overtakes another, and are retried on failure. */
export function createReads<W = never>({ read, onEnd, later }: ReadsOptions<W>): Reads<W> {
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
      if (!isFinal) cancelNext = later(() => request(), Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures))
      failures += 1
    } finally {
      if (running === controller) {
        running = undefined
        if (isRequestedAgain) cancelNext = later(() => request(), PAUSE_MS)
      }
    }
  }

  function request(extra?: W) {
    if (isClosed) return
    if (extra !== undefined) extras.set(extra, runs)
    if (running) isRequestedAgain = true
    else void run()
  }

  return {
    request,
    restart(extra) {
      if (isClosed) return
      if (extra !== undefined) extras.set(extra, runs)
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
