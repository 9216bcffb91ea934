import { ApiError } from './api-error.ts'

/** Runs something later, unless the returned function is called before. */
export type Later = (run: () => void, ms: number) => () => void

export const later: Later = (run, ms) => {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/** A thread in which many write must not be read without a pause. */
const PAUSE_MS = 150
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 30_000

export interface Reads {
  /** Reads after whatever runs now; asked for several times meanwhile, once. */
  ask(): void
  /** Gives up what runs and reads anew: its answer may be older than what was missed. */
  restart(): void
  close(): void
}

interface ReadsOptions {
  /** Must take nothing over once the signal says that its answer is out of date. */
  read(signal: AbortSignal): Promise<void>
  /** How the last read ended: null where it was answered. */
  onEnd(error: ApiError | null): void
  later: Later
}

/** Makes reads of one thing: one at a time, so that no answer overtakes another, and again when one failed. */
export function createReads({ read, onEnd, later }: ReadsOptions): Reads {
  let running: AbortController | undefined
  let isAskedAgain = false
  let isClosed = false
  let failures = 0
  let cancelNext = () => {}

  async function run(): Promise<void> {
    const controller = new AbortController()
    running = controller
    isAskedAgain = false
    cancelNext()
    try {
      await read(controller.signal)
      if (failures > 0 && !controller.signal.aborted) onEnd(null)
      failures = 0
    } catch (error) {
      if (controller.signal.aborted) return
      if (!(error instanceof ApiError)) throw error
      onEnd(error)
      cancelNext = later(ask, Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** failures))
      failures += 1
    } finally {
      if (running === controller) {
        running = undefined
        if (isAskedAgain) cancelNext = later(ask, PAUSE_MS)
      }
    }
  }

  function ask() {
    if (isClosed) return
    if (running) isAskedAgain = true
    else void run()
  }

  return {
    ask,
    restart() {
      if (isClosed) return
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
